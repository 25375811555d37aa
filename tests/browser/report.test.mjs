// Every page in pages/, as a reader would meet it: wide and narrow, light and dark, on paper, by keyboard.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

// Debian 12's node 18 knows no import.meta.dirname.
const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, 'pages');
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
const axe = readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8');
const views = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
];
let profile, context;

before(async () => {
  profile = mkdtempSync(join(tmpdir(), 'assay-browser-'));
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    bypassCSP: true, // lets axe-core in
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
after(async () => {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
});

async function open(name, view = views[0]) {
  const page = await context.newPage();
  const asked = [];
  const complaints = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('dialog', (dialog) => { complaints.push(dialog.message()); dialog.dismiss(); });
  await page.setViewportSize({ width: view.width, height: view.height });
  await page.emulateMedia({ colorScheme: view.colorScheme });
  await page.goto('file://' + join(folder, name));
  return { page, asked, complaints };
}

for (const name of pages) {
  test(`${name}: loads nothing, says nothing, runs nothing`, async () => {
    const { page, asked, complaints } = await open(name);
    assert.equal(asked.length, 1, asked.join(' '));
    assert.deepEqual(complaints, []);
    assert.equal(await page.evaluate(() => document.scripts.length + document.images.length), 0);
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('*')]
      .flatMap((e) => e.getAttributeNames()).filter((a) => a.startsWith('on')).length), 0);
    await page.close();
  });

  for (const view of name === 'demo.html' ? views : [views[0], views[3]])
    test(`${name}: accessible and within its width at ${view.width} px, ${view.colorScheme}`, async () => {
      const { page } = await open(name, view);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(beyond <= 0, `${beyond} px too wide`);
      await page.addScriptTag({ content: axe });
      const { violations } = await page.evaluate(() => axe.run());
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`), []);
      await page.close();
    });

  test(`${name}: every link leads somewhere`, async () => {
    const { page } = await open(name);
    const lost = await page.evaluate(() => [...document.querySelectorAll('a[href]')]
      .map((a) => a.getAttribute('href')).filter((h) => !h.startsWith('#') || !document.getElementById(h.slice(1))));
    assert.deepEqual(lost, []);
    await page.close();
  });

  test(`${name}: no text of a chart is cut or lies on another`, async () => {
    const { page } = await open(name);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const trouble = await page.evaluate(() => [...document.querySelectorAll('svg.plot')].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll('text')].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
      const cut = texts.filter(({ box }) => box.left < frame.left - 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1)
        .map(({ text }) => `cut: ${text}`);
      const over = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => a.box.left < b.box.right - 2 &&
        b.box.left < a.box.right - 2 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4)
        .map((b) => `${a.text} lies on ${b.text}`));
      return [...cut, ...over];
    }));
    assert.deepEqual(trouble, []);
    await page.close();
  });

  test(`${name}: prints`, async () => {
    const { page } = await open(name);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.ok(pdf.length > 10000);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.toc')).display), 'none');
    await page.close();
  });
}

test('hostile.html: names are shown as text', async () => {
  const { page } = await open('hostile.html');
  const text = await page.locator('body').innerText();
  for (const name of ['<script>alert(1)</script>', '<img src=x onerror=alert(2)>', '"><plaintext>'])
    assert.ok(text.includes(name), name);
  await page.close();
});

test('demo.html: a number tells where it comes from', async () => {
  const { page } = await open('demo.html');
  const number = page.locator('.verdicts a.n').first();
  assert.match(await number.getAttribute('title'), /\S+; \S+/);
  await number.focus();
  await page.keyboard.press('Enter');
  assert.match(page.url(), /#i\d+$/);
  await page.close();
});

test('demo.html: the skip link comes first and leads to the report', async () => {
  const { page } = await open('demo.html');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), '#main');
  await page.close();
});
