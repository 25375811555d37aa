// page.mjs DEMO HOSTILE: opens reports in Chromium as different readers would, and prints what is wrong with them.
import { chromium } from 'playwright-core';
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [demo, hostile] = process.argv.slice(2).map((path) => 'file://' + resolve(path));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const readers = [
  { name: 'wide, light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'wide, dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone, light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, colorScheme: 'dark' },
];
let passed = 0;
let failed = 0;

function check(name, wrong) {
  if (wrong.length === 0) {
    passed++;
    return;
  }
  failed++;
  console.log(`FAILED browser, ${name}:`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
}

// Opens a page and collects whatever it asks for, complains of, or pops up.
async function open(browser, url, options) {
  const context = await browser.newContext({ viewport: { width: options.width, height: options.height }, ...options });
  const page = await context.newPage();
  const seen = [];
  page.on('request', (request) => request.url() !== url && !request.url().startsWith('data:') && seen.push(`asks for ${request.url()}`));
  page.on('console', (message) => message.type() === 'error' && seen.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { seen.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(url, { waitUntil: 'load' });
  return { context, page, seen };
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  return found.violations.map((v) => `${v.id} (${v.impact}, ${v.nodes.length} places): ${v.help}; ${v.nodes[0].html.slice(0, 120)}`);
}

const lostLinks = (page) => page.evaluate(() => [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))
  .filter((href) => !href.startsWith('#') || !document.getElementById(href.slice(1))));

// Texts of charts that reach out of their picture or lie on one another, with every fold open.
const crowded = (page) => page.evaluate(() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  return [...document.querySelectorAll('svg.plot')].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
    const cut = texts.filter(({ box }) => box.left < frame.left - 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1);
    const over = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => a.box.left < b.box.right - 2 &&
      b.box.left < a.box.right - 2 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4)
      .map((b) => `'${a.text}' lies on '${b.text}'`));
    return [...cut.map(({ text }) => `'${text}' is cut`), ...over];
  });
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  for (const reader of readers) {
    const { context, page, seen } = await open(browser, demo, reader);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(`${reader.name}: fits`, over > 0 ? [`${over} px wider than the window`] : []);
    check(`${reader.name}: accessible`, await violations(page));
    check(`${reader.name}: quiet`, seen);
    await context.close();
  }
  {
    const { context, page } = await open(browser, demo, { ...readers[0], javaScriptEnabled: false });
    const text = await page.locator('body').innerText();
    const words = ['PASS', 'FAIL', 'INCONCLUSIVE', 'NOT-COMPARABLE', 'NO-DATA', 'Example.Small', 'Example.Reads'];
    check('without scripts: complete', words.filter((word) => !text.includes(word)).map((word) => `no ${word}`));
    check('charts are there', (await page.locator('svg').count()) > 0 ? [] : ['no svg']);
    await context.close();
  }
  {
    const { context, page } = await open(browser, demo, readers[0]);
    check('links lead somewhere', await lostLinks(page));
    const number = page.locator('.verdicts a.n').first();
    check('a number tells its source', /; \S+/.test(await number.getAttribute('title')) ? [] : ['no source in its title']);
    await page.keyboard.press('Tab');
    const first = await page.evaluate(() => document.activeElement.getAttribute('href'));
    check('the skip link comes first', first === '#main' ? [] : [`first is ${first}`]);
    check('charts: no text cut or covered', await crowded(page));
    await page.emulateMedia({ media: 'print' });
    const contents = await page.locator('.toc, .toc-fold').evaluateAll((all) => all.filter((e) => e.offsetParent).length);
    check('paper: no contents list', contents ? ['it is printed'] : []);
    await context.close();
  }
  {
    const { context, page, seen } = await open(browser, hostile, readers[0]);
    const scripts = await page.evaluate(() => [...document.querySelectorAll('script, [onload], [onerror], img[src="x"]')].map((e) => e.outerHTML).filter((html) => html.includes('alert')));
    check('hostile names: nothing runs', [...seen, ...scripts]);
    check('hostile names: shown as text', (await page.locator('body').innerText()).includes('<script>alert(1)') ? [] : ['the job name is not shown']);
    await context.close();
  }
} finally {
  await browser.close();
}
console.log(`browser: ${passed} checks passed, ${failed} failed`);
if (process.env.TALLY) appendFileSync(process.env.TALLY, `${passed} ${failed}\n`);
process.exitCode = failed ? 1 : 0;
