<?xml version="1.0" encoding="UTF-8"?>
<!-- The report document as one HTML page: no script, nothing loaded from elsewhere. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:r="urn:assay:report:1"
                xmlns:svg="http://www.w3.org/2000/svg" exclude-result-prefixes="r svg">
  <xsl:include href="html-blocks.xsl"/>
  <xsl:include href="html-verdicts.xsl"/>
  <xsl:include href="html-evidence.xsl"/>
  <xsl:output method="html" encoding="UTF-8" indent="no"/>

  <xsl:param name="css"/>

  <xsl:key name="input" match="r:input" use="@id"/>
  <xsl:key name="subject" match="r:subject" use="@id"/>
  <xsl:key name="run" match="r:run" use="@id"/>

  <xsl:template match="r:report">
    <html lang="en">
      <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="generator" content="{@generator}"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <title><xsl:value-of select="r:title"/></title>
        <style><xsl:value-of select="$css" disable-output-escaping="yes"/></style>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the report</a>
        <xsl:call-template name="signs"/>
        <header class="top">
          <p class="brand">Benchmark report</p>
          <h1><xsl:value-of select="r:title"/></h1>
          <xsl:if test="r:answer"><p class="answer"><xsl:value-of select="r:answer"/></p></xsl:if>
          <xsl:if test="r:sla or r:evaluation"><xsl:call-template name="tally"/></xsl:if>
        </header>
        <div class="frame">
          <nav class="toc" aria-label="Contents"><xsl:call-template name="contents"/></nav>
          <details class="toc-fold">
            <summary>Contents</summary>
            <nav aria-label="Contents, folded"><xsl:call-template name="contents"/></nav>
          </details>
          <main id="main" tabindex="-1">
            <xsl:apply-templates select="r:evaluation"/>
            <xsl:apply-templates select="r:sla"/>
            <xsl:apply-templates select="r:doubts[r:doubt]"/>
            <xsl:if test="count(r:subjects/r:subject) &gt; 1 or r:subjects/r:subject/r:attribute">
              <xsl:apply-templates select="r:subjects"/>
            </xsl:if>
            <xsl:apply-templates select="r:section"/>
            <xsl:if test="r:sla">
              <section id="method" aria-labelledby="method-h">
                <h2 id="method-h">Method</h2>
                <p class="finding">What each measurement had to be in order to count, and what it was.</p>
                <xsl:apply-templates select="r:sla/r:verdict[r:judgement]" mode="method"/>
              </section>
            </xsl:if>
            <xsl:apply-templates select="r:runs | r:inputs | r:diagnostics"/>
            <xsl:apply-templates select="r:command"/>
          </main>
        </div>
        <footer class="end">
          <p>Written by <xsl:value-of select="@generator"/>. Every underlined number leads to its input;
          point at it or focus it to see the line and the text as printed.</p>
        </footer>
      </body>
    </html>
  </xsl:template>

  <xsl:template name="contents">
    <ul>
      <xsl:if test="r:evaluation"><li><a href="#evaluation"><xsl:value-of select="r:evaluation/r:title"/></a></li></xsl:if>
      <xsl:for-each select="r:sla">
        <li><a href="#{@id}"><xsl:choose>
          <xsl:when test="count(../r:sla) &gt; 1">Verdicts: <xsl:value-of select="r:name"/></xsl:when>
          <xsl:otherwise>Verdicts</xsl:otherwise>
        </xsl:choose></a></li>
      </xsl:for-each>
      <xsl:if test="r:doubts/r:doubt"><li><a href="#doubts">What is in doubt</a></li></xsl:if>
      <xsl:if test="count(r:subjects/r:subject) &gt; 1 or r:subjects/r:subject/r:attribute">
        <li><a href="#subjects">Subjects</a></li>
      </xsl:if>
      <xsl:for-each select="r:section[not(@subject)]">
        <li><a href="#{@id}"><xsl:value-of select="r:title"/></a></li>
      </xsl:for-each>
      <xsl:for-each select="r:subjects/r:subject">
        <xsl:variable name="own" select="/r:report/r:section[@subject = current()/@id]"/>
        <xsl:if test="$own">
          <li><span class="toc-subject"><i class="dot s{@n}"/><xsl:value-of select="r:name"/></span>
            <ul>
              <xsl:for-each select="$own">
                <li><a href="#{@id}"><xsl:value-of select="r:title"/></a></li>
              </xsl:for-each>
            </ul>
          </li>
        </xsl:if>
      </xsl:for-each>
      <xsl:if test="r:sla"><li><a href="#method">Method</a></li></xsl:if>
      <li><a href="#runs">Runs</a></li>
      <li><a href="#inputs">Inputs</a></li>
      <li><a href="#diagnostics">Diagnostics</a></li>
      <xsl:if test="r:command"><li><a href="#reproduce">How to reproduce</a></li></xsl:if>
    </ul>
  </xsl:template>
</xsl:stylesheet>
