<?xml version="1.0" encoding="UTF-8"?>
<!-- What the report rests on: subjects, runs, inputs, diagnostics, the command. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:r="urn:assay:report:1"
                exclude-result-prefixes="r">

  <xsl:template match="r:subjects">
    <section id="subjects" aria-labelledby="subjects-h">
      <h2 id="subjects-h">Subjects</h2>
      <dl class="subjects">
        <xsl:for-each select="r:subject">
          <div>
            <dt><i class="dot s{@n}"/><xsl:value-of select="r:name"/></dt>
            <dd>
              <xsl:if test="not(r:attribute)"><span class="quiet">no attributes stated</span></xsl:if>
              <xsl:for-each select="r:attribute">
                <span class="attribute"><span class="key"><xsl:value-of select="@key"/></span><xsl:text> </xsl:text>
                  <xsl:choose>
                    <xsl:when test="@input"><a class="n" href="#{@input}"><xsl:attribute name="title"><xsl:call-template
                      name="place"/></xsl:attribute><xsl:value-of select="."/></a></xsl:when>
                    <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
                  </xsl:choose>
                </span>
                <xsl:text> </xsl:text>
              </xsl:for-each>
            </dd>
          </div>
        </xsl:for-each>
      </dl>
    </section>
  </xsl:template>

  <xsl:template match="r:runs">
    <section id="runs" aria-labelledby="runs-h">
      <h2 id="runs-h">Runs</h2>
      <div class="wide" role="group" tabindex="0" aria-labelledby="runs-c">
        <table>
          <caption id="runs-c"><xsl:value-of select="count(r:run)"/> runs, in the order they were found</caption>
          <thead>
            <tr><th scope="col">Source</th><th scope="col">Subject</th><th scope="col">Tool</th><th scope="col">Started, UTC</th>
              <th scope="col" class="number">Jobs</th><th scope="col" class="number">Figures</th>
              <th scope="col" class="number">Series</th></tr>
          </thead>
          <tbody>
            <xsl:for-each select="r:run">
              <tr id="{@id}">
                <xsl:if test="@suite"><xsl:attribute name="class">member</xsl:attribute></xsl:if>
                <th scope="row" class="path">
                  <xsl:choose>
                    <xsl:when test="@input"><a href="#{@input}"><xsl:call-template name="short">
                      <xsl:with-param name="path" select="r:source"/></xsl:call-template></a></xsl:when>
                    <xsl:otherwise><xsl:value-of select="r:source"/></xsl:otherwise>
                  </xsl:choose>
                  <xsl:if test="r:published"><span class="sub">published in <xsl:value-of select="r:published"/></span></xsl:if>
                  <xsl:if test="@damaged"><span class="sub"><span class="verdict FAIL"><xsl:call-template name="sign">
                    <xsl:with-param name="name">bad</xsl:with-param></xsl:call-template>damaged</span></span></xsl:if>
                </th>
                <td><xsl:choose>
                  <xsl:when test="@subject"><i class="dot s{key('subject', @subject)/@n}"/><xsl:value-of
                    select="key('subject', @subject)/r:name"/></xsl:when>
                  <xsl:otherwise><span class="quiet">–</span></xsl:otherwise></xsl:choose></td>
                <td>
                  <xsl:if test="not(starts-with(@version, concat(@tool, '-')))"><xsl:value-of select="@tool"/><xsl:text> </xsl:text></xsl:if>
                  <xsl:value-of select="@version"/>
                </td>
                <td class="time"><xsl:choose><xsl:when test="@started"><xsl:value-of select="translate(@started, 'TZ', ' ')"/></xsl:when>
                  <xsl:otherwise><span class="quiet">not stated</span></xsl:otherwise></xsl:choose></td>
                <td class="number"><xsl:value-of select="@jobs"/></td>
                <td class="number"><xsl:value-of select="@results"/></td>
                <td class="number"><xsl:value-of select="@series"/></td>
              </tr>
            </xsl:for-each>
          </tbody>
        </table>
      </div>
    </section>
  </xsl:template>

  <xsl:template match="r:inputs">
    <section id="inputs" aria-labelledby="inputs-h">
      <h2 id="inputs-h">Inputs</h2>
      <div class="wide" role="group" tabindex="0" aria-labelledby="inputs-c">
        <table class="inputs">
          <caption id="inputs-c"><xsl:value-of select="count(r:input)"/> inputs<xsl:if test="@base">, paths
            within <code><xsl:value-of select="@base"/></code></xsl:if>; under each its SHA-256</caption>
          <thead>
            <tr><th scope="col">Path</th><th scope="col">Format</th><th scope="col">State</th>
              <th scope="col" class="number">Size</th></tr>
          </thead>
          <tbody>
            <xsl:for-each select="r:input">
              <tr id="{@id}">
                <th scope="row" class="path">
                  <xsl:call-template name="short"><xsl:with-param name="path" select="r:path"/></xsl:call-template>
                  <code class="sub hash"><xsl:choose><xsl:when test="@sha256"><xsl:value-of select="@sha256"/></xsl:when>
                    <xsl:otherwise>SHA-256 not computed</xsl:otherwise></xsl:choose></code>
                </th>
                <td><xsl:choose><xsl:when test="@format"><xsl:value-of select="@format"/></xsl:when>
                  <xsl:otherwise><span class="quiet">unknown</span></xsl:otherwise></xsl:choose></td>
                <td><xsl:choose>
                  <xsl:when test="@status = 'read'">read</xsl:when>
                  <xsl:when test="@status = 'partly'"><span class="verdict INCONCLUSIVE"><xsl:call-template name="sign">
                    <xsl:with-param name="name">doubt</xsl:with-param></xsl:call-template>read in part</span></xsl:when>
                  <xsl:when test="@status = 'rejected'"><span class="verdict FAIL"><xsl:call-template name="sign">
                    <xsl:with-param name="name">bad</xsl:with-param></xsl:call-template>rejected</span></xsl:when>
                  <xsl:otherwise><span class="quiet">not read</span></xsl:otherwise>
                </xsl:choose></td>
                <td class="number"><xsl:if test="@size"><span title="{@size} bytes"><xsl:value-of select="r:bytes"/></span></xsl:if></td>
              </tr>
            </xsl:for-each>
          </tbody>
        </table>
      </div>
    </section>
  </xsl:template>

  <xsl:template match="r:diagnostics">
    <section id="diagnostics" aria-labelledby="diagnostics-h">
      <h2 id="diagnostics-h">Diagnostics</h2>
      <p class="finding">
        <xsl:choose>
          <xsl:when test="@errors + @warnings + @notes = 0">Every input was read whole; nothing was skipped.</xsl:when>
          <xsl:otherwise>
            <xsl:value-of select="@errors"/> error<xsl:if test="@errors != 1">s</xsl:if>,
            <xsl:value-of select="@warnings"/> warning<xsl:if test="@warnings != 1">s</xsl:if>,
            <xsl:value-of select="@notes"/> note<xsl:if test="@notes != 1">s</xsl:if>.
          </xsl:otherwise>
        </xsl:choose>
      </p>
      <xsl:variable name="loud" select="r:diagnostic[@severity != 'note']"/>
      <xsl:variable name="notes" select="r:diagnostic[@severity = 'note']"/>
      <xsl:if test="$loud"><ul class="diags"><xsl:apply-templates select="$loud"/></ul></xsl:if>
      <xsl:if test="$notes">
        <details class="fold"><summary><xsl:value-of select="count($notes)"/> notes</summary>
          <ul class="diags"><xsl:apply-templates select="$notes"/></ul></details>
      </xsl:if>
    </section>
  </xsl:template>
  <xsl:template match="r:diagnostic">
    <li class="{@severity}">
      <span class="severity"><xsl:value-of select="@severity"/></span><xsl:text> </xsl:text>
      <xsl:value-of select="r:message"/><xsl:text> </xsl:text>
      <xsl:choose>
        <xsl:when test="@input"><a class="place" href="#{@input}"><xsl:value-of select="@where"/></a></xsl:when>
        <xsl:otherwise><span class="place"><xsl:value-of select="@where"/></span></xsl:otherwise>
      </xsl:choose>
      <xsl:if test="r:excerpt"><pre tabindex="0"><xsl:value-of select="r:excerpt"/></pre></xsl:if>
    </li>
  </xsl:template>

  <xsl:template match="r:command">
    <section id="reproduce" aria-labelledby="reproduce-h">
      <h2 id="reproduce-h">How to reproduce</h2>
      <p>The same inputs give the same bytes:</p>
      <pre tabindex="0"><xsl:value-of select="."/></pre>
    </section>
  </xsl:template>
</xsl:stylesheet>
