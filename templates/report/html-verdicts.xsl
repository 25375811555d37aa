<?xml version="1.0" encoding="UTF-8"?>
<!-- The first screen: verdicts with a bullet chart each, what is in doubt; and the conditions behind them. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:r="urn:assay:report:1"
                exclude-result-prefixes="r">

  <!-- A verdict's sign; the word always stands beside it. -->
  <xsl:template name="verdict-sign">
    <xsl:param name="state" select="@state"/>
    <xsl:call-template name="sign">
      <xsl:with-param name="name">
        <xsl:choose>
          <xsl:when test="$state = 'PASS'">good</xsl:when>
          <xsl:when test="$state = 'FAIL'">bad</xsl:when>
          <xsl:when test="$state = 'INCONCLUSIVE'">doubt</xsl:when>
          <xsl:when test="$state = 'NOT-COMPARABLE'">differs</xsl:when>
          <xsl:otherwise>none</xsl:otherwise>
        </xsl:choose>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>
  <xsl:template name="word">
    <span class="verdict {@state}"><xsl:call-template name="verdict-sign"/><xsl:value-of select="@state"/></span>
  </xsl:template>

  <xsl:template name="tally">
    <ul class="tally" aria-label="Verdicts by kind">
      <xsl:call-template name="count"><xsl:with-param name="state">PASS</xsl:with-param></xsl:call-template>
      <xsl:call-template name="count"><xsl:with-param name="state">FAIL</xsl:with-param></xsl:call-template>
      <xsl:call-template name="count"><xsl:with-param name="state">INCONCLUSIVE</xsl:with-param></xsl:call-template>
      <xsl:call-template name="count"><xsl:with-param name="state">NOT-COMPARABLE</xsl:with-param></xsl:call-template>
      <xsl:call-template name="count"><xsl:with-param name="state">NO-DATA</xsl:with-param></xsl:call-template>
    </ul>
  </xsl:template>
  <xsl:template name="count">
    <xsl:param name="state"/>
    <xsl:variable name="n" select="count(/r:report/r:sla/r:verdict[@state = $state and @subject] | /r:report/r:evaluation/r:metric[@state = $state])"/>
    <xsl:if test="$n">
      <li class="verdict {$state}"><xsl:call-template name="verdict-sign">
        <xsl:with-param name="state" select="$state"/></xsl:call-template>
        <b><xsl:value-of select="$n"/></b><xsl:text> </xsl:text><xsl:value-of select="$state"/></li>
    </xsl:if>
  </xsl:template>

  <xsl:template match="r:evaluation">
    <section id="{@id}" aria-labelledby="{@id}-h" class="evaluation">
      <h2 id="{@id}-h"><xsl:value-of select="r:title"/></h2>
      <table class="verdicts" role="table">
        <caption>Bar: measured. Tick: the limit, with the side that passes tinted.</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Metric</th>
            <th scope="col" role="columnheader">Verdict</th>
            <th scope="col" role="columnheader" class="bar">Against the limit</th>
            <th scope="col" role="columnheader" class="number">Measured</th>
            <th scope="col" role="columnheader" class="number">Limit</th>
          </tr>
        </thead>
        <tbody role="rowgroup"><xsl:apply-templates select="r:metric"/></tbody>
      </table>
    </section>
  </xsl:template>

  <xsl:template match="r:metric">
    <tr role="row" id="{@id}" class="{@state}">
      <th scope="row" role="rowheader"><xsl:value-of select="r:name"/></th>
      <td role="cell"><xsl:call-template name="word"/></td>
      <td role="cell" class="bar">
        <xsl:choose>
          <xsl:when test="r:bullet"><xsl:apply-templates select="r:bullet"/></xsl:when>
          <xsl:otherwise><span class="quiet">nothing measured</span></xsl:otherwise>
        </xsl:choose>
      </td>
      <td role="cell" class="number" data-head="Measured"><xsl:apply-templates select="r:measured/r:figure"/>
        <xsl:if test="not(r:measured)"><span class="quiet">–</span></xsl:if></td>
      <td role="cell" class="number" data-head="Limit"><xsl:if test="r:limit"><xsl:value-of
        select="r:limit/@op"/><xsl:text> </xsl:text></xsl:if><xsl:apply-templates select="r:limit/r:figure"/>
        <xsl:if test="not(r:limit)"><span class="quiet">–</span></xsl:if></td>
    </tr>
    <tr role="row" class="say">
      <td role="cell" colspan="5"><xsl:value-of select="r:sentence"/>
        <xsl:if test="r:advice"><xsl:text> </xsl:text><xsl:value-of select="r:advice"/></xsl:if></td>
    </tr>
  </xsl:template>

  <xsl:template match="r:sla">
    <section id="{@id}" aria-labelledby="{@id}-h" class="sla">
      <h2 id="{@id}-h"><xsl:value-of select="r:title"/></h2>
      <table class="verdicts" role="table">
        <caption>Bar: measured. <xsl:choose><xsl:when test="@level">Whisker: one-sided <xsl:value-of
          select="@level * 100"/> % bounds.</xsl:when><xsl:otherwise>Whisker: how exact it is.</xsl:otherwise></xsl:choose>
          Tick: the published limit, with the side that complies tinted.</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Shape</th>
            <th scope="col" role="columnheader">Verdict</th>
            <th scope="col" role="columnheader" class="bar">Against the limit</th>
            <th scope="col" role="columnheader" class="number">Measured<xsl:call-template name="head-unit"/></th>
            <th scope="col" role="columnheader" class="number">Limit<xsl:call-template name="head-unit"/></th>
            <th scope="col" role="columnheader" class="number">× limit</th>
            <th scope="col" role="columnheader" class="number">Method</th>
          </tr>
        </thead>
        <tbody role="rowgroup"><xsl:apply-templates select="r:verdict[@subject]"/></tbody>
      </table>
      <xsl:if test="r:verdict[not(@subject)]">
        <p class="note">No input concerns <xsl:for-each select="r:verdict[not(@subject)]"><xsl:value-of
          select="r:shape"/> (<xsl:value-of select="r:limit/@op"/><xsl:text> </xsl:text><xsl:value-of
          select="r:limit/r:figure"/>)<xsl:if test="position() != last()">, </xsl:if></xsl:for-each>.</p>
      </xsl:if>
      <p class="note">
        <xsl:if test="r:source"><xsl:value-of select="r:source"/>. </xsl:if>
        <xsl:value-of select="r:rule"/>.
      </p>
    </section>
  </xsl:template>

  <xsl:template name="head-unit">
    <xsl:if test="@unit != ''"><xsl:text> </xsl:text><span class="unit"><xsl:value-of select="@unit"/></span></xsl:if>
  </xsl:template>

  <xsl:template match="r:verdict">
    <tr role="row" id="{@id}" class="{@state}">
      <th scope="row" role="rowheader">
        <xsl:if test="string-length(r:shape) &lt; 22"><xsl:attribute name="class">short</xsl:attribute></xsl:if>
        <xsl:value-of select="r:shape"/>
      </th>
      <td role="cell"><xsl:call-template name="word"/></td>
      <td role="cell" class="bar">
        <xsl:choose>
          <xsl:when test="r:bullet"><xsl:apply-templates select="r:bullet"/></xsl:when>
          <xsl:otherwise><span class="quiet">nothing measured</span></xsl:otherwise>
        </xsl:choose>
      </td>
      <td role="cell" class="number" data-head="Measured">
        <xsl:if test="not(r:measured)"><span class="quiet">–</span></xsl:if>
        <xsl:apply-templates select="r:measured/r:figure"/>
        <xsl:if test="r:lower">
          <span class="sub"><xsl:apply-templates select="r:lower/r:figure"/> … <xsl:apply-templates
            select="r:upper/r:figure"/></span>
        </xsl:if>
        <xsl:if test="r:steady"><span class="sub"><xsl:value-of select="r:steady"/></span></xsl:if>
      </td>
      <td role="cell" class="number" data-head="Limit"><xsl:value-of select="r:limit/@op"/><xsl:text> </xsl:text><xsl:apply-templates
        select="r:limit/r:figure"/></td>
      <td role="cell" class="number" data-head="× limit"><xsl:apply-templates select="r:ratio/r:figure"/>
        <xsl:if test="not(r:ratio)"><span class="quiet">–</span></xsl:if></td>
      <td role="cell" class="number" data-head="Method">
        <xsl:choose>
          <xsl:when test="r:method"><a href="#{@id}-m"><xsl:value-of select="r:method/@held"/> of <xsl:value-of
            select="r:method/@of"/></a></xsl:when>
          <xsl:otherwise><span class="quiet">–</span></xsl:otherwise>
        </xsl:choose>
      </td>
    </tr>
  </xsl:template>

  <xsl:template match="r:bullet">
    <svg xmlns="http://www.w3.org/2000/svg" class="bullet" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img"
         aria-label="{../r:measured/r:figure} against {../r:limit/@op} {../r:limit/r:figure}">
      <rect class="track" x="0" y="18" width="1000" height="64"/>
      <xsl:choose>
        <xsl:when test="@good = 'above'"><rect class="zone" x="{@limit}" y="18" width="{1000 - @limit}" height="64"/></xsl:when>
        <xsl:otherwise><rect class="zone" x="0" y="18" width="{@limit}" height="64"/></xsl:otherwise>
      </xsl:choose>
      <rect class="bar" x="0" y="32" width="{@bar}" height="36"/>
      <xsl:if test="@low">
        <path class="whisker" d="M{@low} 50H{@high}M{@low} 36V64M{@high} 36V64"/>
      </xsl:if>
      <path class="tick" d="M{@limit} 6V94"/>
    </svg>
  </xsl:template>

  <xsl:template match="r:doubts">
    <section id="doubts" aria-labelledby="doubts-h" class="doubts">
      <h2 id="doubts-h">What is in doubt</h2>
      <ul>
        <xsl:for-each select="r:doubt">
          <li>
            <xsl:if test="@about">
              <b><xsl:choose>
                <xsl:when test="@ref"><a href="#{@ref}"><xsl:value-of select="@about"/></a></xsl:when>
                <xsl:otherwise><xsl:value-of select="@about"/></xsl:otherwise>
              </xsl:choose></b><xsl:text>: </xsl:text>
            </xsl:if>
            <xsl:value-of select="."/>
          </li>
        </xsl:for-each>
      </ul>
    </section>
  </xsl:template>

  <xsl:template match="r:verdict" mode="method">
    <div id="{@id}-m" class="part">
      <h3><xsl:value-of select="r:shape"/><xsl:text> </xsl:text><xsl:call-template name="word"/></h3>
      <p><xsl:value-of select="r:sentence"/><xsl:if test="r:advice"><xsl:text> </xsl:text><xsl:value-of select="r:advice"/></xsl:if></p>
      <xsl:for-each select="r:judgement">
        <xsl:variable name="id" select="concat(../@id, '-j', position())"/>
        <xsl:if test="r:reason and r:reason != ../r:sentence and count(../r:judgement) &gt; 1">
          <p><xsl:value-of select="r:title"/>: <xsl:value-of select="r:reason"/></p>
        </xsl:if>
        <xsl:if test="r:condition">
          <div class="wide" role="group" tabindex="0" aria-labelledby="{$id}">
            <table class="conditions">
              <caption id="{$id}"><xsl:value-of select="r:title"/>
                <xsl:if test="r:figure">: <xsl:apply-templates select="r:figure"/></xsl:if>
                <xsl:if test="@run">, <a href="#{@run}"><xsl:call-template name="short"><xsl:with-param name="path" select="key('run', @run)/r:source"/></xsl:call-template></a></xsl:if>
              </caption>
              <thead>
                <tr><th scope="col">Condition</th><th scope="col">Holds</th><th scope="col">Required</th>
                  <th scope="col">Found</th><th scope="col">Where</th></tr>
              </thead>
              <tbody><xsl:apply-templates select="r:condition"/></tbody>
            </table>
          </div>
        </xsl:if>
      </xsl:for-each>
    </div>
  </xsl:template>

  <xsl:template match="r:condition">
    <tr class="{@holds} required-{@required}">
      <th scope="row"><xsl:value-of select="r:name"/></th>
      <td>
        <xsl:choose>
          <xsl:when test="@holds = 'yes' and @required = 'no'"><span class="noted">noted</span></xsl:when>
          <xsl:when test="@holds = 'yes'"><span class="verdict PASS"><xsl:call-template name="sign">
            <xsl:with-param name="name">good</xsl:with-param></xsl:call-template>yes</span></xsl:when>
          <xsl:when test="@holds = 'no'"><span class="verdict FAIL"><xsl:call-template name="sign">
            <xsl:with-param name="name">bad</xsl:with-param></xsl:call-template>no</span></xsl:when>
          <xsl:when test="@holds = 'not-shown'"><span class="verdict INCONCLUSIVE"><xsl:call-template name="sign">
            <xsl:with-param name="name">doubt</xsl:with-param></xsl:call-template>not shown</span></xsl:when>
          <xsl:otherwise><span class="verdict INCONCLUSIVE"><xsl:call-template name="sign">
            <xsl:with-param name="name">none</xsl:with-param></xsl:call-template>remark</span></xsl:otherwise>
        </xsl:choose>
      </td>
      <td><xsl:choose><xsl:when test="r:wanted"><xsl:value-of select="r:wanted"/></xsl:when>
        <xsl:otherwise><span class="quiet">–</span></xsl:otherwise></xsl:choose></td>
      <td class="found"><xsl:value-of select="r:found"/>
        <xsl:if test="r:note"><span class="sub"><xsl:value-of select="r:note"/></span></xsl:if></td>
      <td class="where"><xsl:call-template name="place-link"/></td>
    </tr>
  </xsl:template>
</xsl:stylesheet>
