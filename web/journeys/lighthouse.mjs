// Runs Lighthouse on the search page and a task page, with desktop and phone settings. Not part of the tests: the results
// depend on the machine. Exits with 1 if a category is below the minimum score.

import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { browserPath, TestInstance } from './test-instance.mjs';

const minimumScore = 95;
const categories = ['performance', 'accessibility', 'best-practices'];
const instance = await TestInstance.start();
const chrome = await launch({ chromePath: browserPath(), chromeFlags: ['--headless=new', '--no-sandbox'] });
let below = false;

/** Measures a page; repeats runs that Lighthouse itself could not complete (e.g. because the browser painted nothing). */
async function measurePage(url, config) {
  for (let left = 3; ; left--) {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: categories, logLevel: 'error' }, config);
    if (!lhr.runtimeError || left === 1) return lhr;
    console.log(`  not measured: ${lhr.runtimeError.code}`);
  }
}

try {
  const task = await instance.crawlAll();
  for (const path of ['/', `/tasks/${task.id}`]) {
    for (const [screen, config] of [['desktop', desktopConfig], ['mobile', undefined]]) {
      const lhr = await measurePage(instance.url + path, config);
      const scores = categories.map((name) => Math.round(lhr.categories[name].score * 100));
      const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index'].map((id) => `${id} ${lhr.audits[id].displayValue}`);
      console.log(`${path.padEnd(10)} ${screen.padEnd(8)} ${categories.map((name, at) => `${name} ${scores[at]}`).join('  ')}   (${times.join(', ')})`);
      below ||= scores.some((score) => score < minimumScore);
      for (const audit of Object.values(lhr.audits).filter((one) => one.score !== null && one.score < 0.9 && one.scoreDisplayMode !== 'informative')) {
        console.log(`    ${audit.id}: ${audit.title} ${audit.displayValue ?? ''}`);
        if (process.argv.includes('--why')) console.log(`      ${JSON.stringify(audit.details?.items ?? []).slice(0, 1200)}`);
      }
    }
  }
} finally {
  chrome.kill();
  await instance.stop();
}
process.exitCode = below ? 1 : 0;
