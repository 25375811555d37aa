<?xml version="1.0" encoding="UTF-8"?>
<!-- Sections and what stands in them: figures, tables, charts, folds. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:r="urn:assay:report:1"
                xmlns:svg="http://www.w3.org/2000/svg" exclude-result-prefixes="r svg">

  <xsl:template match="r:section">
    <section id="{@id}" class="{@kind}">
      <h2 id="{@id}-h">
        <xsl:if test="@subject">
          <span class="of"><i class="dot s{key('subject', @subject)/@n}"/><xsl:value-of
            select="key('subject', @subject)/r:name"/><xsl:text> </xsl:text></span>
        </xsl:if>
        <xsl:value-of select="r:title"/>
      </h2>
      <xsl:if test="r:finding"><p class="finding"><xsl:value-of select="r:finding"/></p></xsl:if>
      <xsl:apply-templates select="r:para | r:table | r:chart | r:part | r:fold"/>
    </section>
  </xsl:template>

  <xsl:template match="r:part">
    <div id="{@id}" class="part">
      <h3><xsl:value-of select="r:title"/></h3>
      <xsl:apply-templates select="r:para | r:table | r:chart | r:part | r:fold"/>
    </div>
  </xsl:template>

  <xsl:template match="r:fold">
    <details class="fold">
      <summary><xsl:value-of select="r:title"/></summary>
      <xsl:apply-templates select="r:para | r:table | r:chart | r:part | r:fold"/>
    </details>
  </xsl:template>

  <xsl:template match="r:para"><p><xsl:value-of select="."/></p></xsl:template>

  <!-- A number that can be asked where it comes from. -->
  <xsl:template match="r:figure">
    <xsl:variable name="told">
      <xsl:call-template name="provenance"/>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="@input"><a class="n" href="#{@input}" title="{$told}"><xsl:value-of select="."/></a></xsl:when>
      <xsl:otherwise><span class="n" tabindex="0" title="{$told}"><xsl:value-of select="."/></span></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
  <xsl:template name="provenance">
    <xsl:choose>
      <xsl:when test="@printed">“<xsl:value-of select="@printed"/>”, </xsl:when>
      <xsl:otherwise>
        <xsl:value-of select="@value"/>
        <xsl:if test="@unit != '1'"><xsl:text> </xsl:text><xsl:value-of select="@unit"/></xsl:if>
        <xsl:text>, </xsl:text>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:value-of select="@basis"/>
    <xsl:if test="@how">: <xsl:value-of select="@how"/></xsl:if>
    <xsl:if test="@input">
      <xsl:text>; </xsl:text>
      <xsl:call-template name="place"/>
    </xsl:if>
  </xsl:template>
  <!-- path:line of the context node's evidence. -->
  <xsl:template name="place">
    <xsl:call-template name="short"><xsl:with-param name="path" select="key('input', @input)/r:path"/></xsl:call-template>
    <xsl:if test="@line">:<xsl:value-of select="@line"/></xsl:if>
  </xsl:template>
  <!-- A path without the directory that all inputs share, which stands above their table. -->
  <xsl:template name="short">
    <xsl:param name="path"/>
    <xsl:variable name="base" select="/r:report/r:inputs/@base"/>
    <xsl:choose>
      <xsl:when test="$base and starts-with($path, $base) and $path != $base">
        <xsl:value-of select="substring($path, string-length($base) + 1)"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$path"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
  <xsl:template name="place-link">
    <xsl:if test="@input">
      <a class="place" href="#{@input}"><xsl:call-template name="place"/></a>
    </xsl:if>
  </xsl:template>

  <xsl:template match="r:table">
    <xsl:variable name="columns" select="r:column"/>
    <div class="wide" role="group" tabindex="0" aria-labelledby="{@id}-c">
      <table id="{@id}">
        <caption id="{@id}-c"><xsl:value-of select="r:caption"/></caption>
        <thead>
          <xsl:if test="r:column/@group">
            <tr class="groups">
              <xsl:for-each select="r:column">
                <xsl:variable name="next" select="following-sibling::r:column[not(@group) or @group != current()/@group][1]"/>
                <xsl:choose>
                  <xsl:when test="not(@group)"><th rowspan="2" scope="col" class="{@kind}"><xsl:call-template name="head"/></th></xsl:when>
                  <xsl:when test="not(preceding-sibling::r:column[1]/@group = @group)">
                    <th scope="colgroup" class="group" colspan="{count(following-sibling::r:column) + 1 - count($next | $next/following-sibling::r:column)}">
                      <span><xsl:value-of select="@group"/></span>
                    </th>
                  </xsl:when>
                </xsl:choose>
              </xsl:for-each>
            </tr>
          </xsl:if>
          <tr>
            <xsl:for-each select="r:column[@group or not(../r:column/@group)]">
              <th scope="col" class="{@kind}"><xsl:call-template name="head"/></th>
            </xsl:for-each>
          </tr>
        </thead>
        <tbody>
          <xsl:for-each select="r:row">
            <tr>
              <xsl:if test="@mark"><xsl:attribute name="class"><xsl:value-of select="@mark"/></xsl:attribute></xsl:if>
              <xsl:for-each select="r:cell">
                <xsl:variable name="at" select="position()"/>
                <xsl:variable name="class" select="concat($columns[$at]/@kind, ' ', @mark)"/>
                <xsl:choose>
                  <xsl:when test="$at = 1">
                    <th scope="row" class="{$class}"><xsl:call-template name="cell"/></th>
                  </xsl:when>
                  <xsl:otherwise><td class="{$class}"><xsl:call-template name="cell"/></td></xsl:otherwise>
                </xsl:choose>
              </xsl:for-each>
            </tr>
          </xsl:for-each>
        </tbody>
      </table>
    </div>
    <xsl:if test="r:note"><p class="note"><xsl:value-of select="r:note"/></p></xsl:if>
  </xsl:template>

  <xsl:template name="head">
    <xsl:value-of select="."/>
    <xsl:if test="@unit"><xsl:text> </xsl:text><span class="unit"><xsl:value-of select="@unit"/></span></xsl:if>
  </xsl:template>

  <xsl:template name="cell">
    <xsl:if test="@mark = 'good' or @mark = 'bad' or @mark = 'doubt'">
      <xsl:call-template name="sign"><xsl:with-param name="name" select="@mark"/></xsl:call-template>
    </xsl:if>
    <xsl:apply-templates select="text() | r:figure | r:spark"/>
    <xsl:if test="@detail"><span class="sub"><xsl:value-of select="@detail"/></span></xsl:if>
  </xsl:template>

  <xsl:template match="r:spark">
    <svg xmlns="http://www.w3.org/2000/svg" class="sparkline" viewBox="-3 -3 126 30" role="img" aria-label="{@label}">
      <rect class="k-window" x="{@x1}" y="-3" width="{@x2 - @x1}" height="30"/>
      <polyline class="spark-line" points="{@points}"/>
    </svg>
  </xsl:template>

  <xsl:template match="r:chart">
    <figure id="{@id}" class="chart {@kind}">
      <figcaption>
        <span class="chart-title"><xsl:value-of select="r:title"/></span>
        <span class="chart-sub"><xsl:value-of select="r:subtitle"/></span>
      </figcaption>
      <xsl:if test="r:legend">
        <ul class="legend">
          <xsl:for-each select="r:legend/r:entry"><li><i class="dot s{@n}"/><xsl:value-of select="."/></li></xsl:for-each>
        </ul>
      </xsl:if>
      <xsl:choose>
        <xsl:when test="svg:svg">
          <svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="{svg:svg/@viewBox}" role="img"
               aria-labelledby="{@id}-t {@id}-d">
            <title id="{@id}-t"><xsl:value-of select="r:title"/></title>
            <desc id="{@id}-d"><xsl:value-of select="r:description"/></desc>
            <xsl:copy-of select="svg:svg/node()"/>
          </svg>
        </xsl:when>
        <xsl:otherwise>
          <p class="note">This chart was not drawn; its data stand below. <xsl:value-of select="r:description"/></p>
        </xsl:otherwise>
      </xsl:choose>
      <details class="data">
        <xsl:if test="@open"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
        <summary>Data<span class="hidden"> of the chart: <xsl:value-of select="r:title"/></span></summary>
        <xsl:apply-templates select="r:table"/>
      </details>
    </figure>
  </xsl:template>

  <!-- Signs that go with words: drawn once, used by name. -->
  <xsl:template name="signs">
    <svg xmlns="http://www.w3.org/2000/svg" class="defs" aria-hidden="true" width="0" height="0" focusable="false">
      <defs>
        <symbol id="g-good" viewBox="0 0 16 16"><path d="M3 8.5 6.5 12 13 4.5"/></symbol>
        <symbol id="g-bad" viewBox="0 0 16 16"><path d="M4 4l8 8M12 4l-8 8"/></symbol>
        <symbol id="g-doubt" viewBox="0 0 16 16"><path d="M2.5 9.5c2-4 4-4 5.500-1.500s3.500 2.500 5.500-1.500"/></symbol>
        <symbol id="g-differs" viewBox="0 0 16 16"><path d="M3 6h10M3 10h10M11 3 5 13"/></symbol>
        <symbol id="g-none" viewBox="0 0 16 16"><path d="M4 8h8"/></symbol>
        <g id="m1"><circle r="1"/></g>
        <g id="m2"><path d="M-.9-.9H.9V.9H-.9z"/></g>
        <g id="m3"><path d="M0-1.200 1.150.8H-1.150z"/></g>
        <g id="m4"><path d="M0-1.300 1.100 0 0 1.300-1.100 0z"/></g>
        <g id="m5"><path d="M0 1.200 1.150-.8H-1.150z"/></g>
        <g id="m6"><path d="M-.35-1.100h.7v.75h.75v.7h-.75v.75h-.7v-.75h-.75v-.7h.75z"/></g>
        <g id="m7"><path class="open" d="M0-1A1 1 0 1 1 0 1 1 1 0 1 1 0-1z"/></g>
        <g id="m8"><path class="open" d="M-.85-.85H.85V.85H-.85z"/></g>
      </defs>
    </svg>
  </xsl:template>
  <xsl:template name="sign">
    <xsl:param name="name"/>
    <svg xmlns="http://www.w3.org/2000/svg" class="sign {$name}" aria-hidden="true" focusable="false"><use href="#g-{$name}"/></svg>
  </xsl:template>
</xsl:stylesheet>
