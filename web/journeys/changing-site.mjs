// A small site that changes from day to day in known ways, and a search engine that lists it, for tests of collections.
// Its pages have scripts that leave traces if they run.

import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

export const siteUrl = 'http://diary.example/';

const words = 'the river rose slowly over the meadows while the gauges counted every hour and the watchers wrote down what they saw of water stones birds and boats along both banks until the evening came and lamps were lit in the houses behind the dike where maps of older floods hang on the walls'.split(' ');
/** Returns sentences that depend only on the arguments. */
function prose(from, sentences) {
  const lines = [];
  for (let at = 0; at < sentences; at += 1) lines.push(Array.from({ length: 14 }, (_, word) => words[(from * 7 + at * 11 + word * (1 + ((from + at) % 5))) % words.length]).join(' '));
  return lines.map((line) => `<p>${line}.</p>`).join('\n');
}

const script = "document.documentElement.dataset.ran = 'yes'; document.querySelector('h1').textContent = 'A SCRIPT RAN'; parent.postMessage('ran', '*');";
const page = (title, text) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="What the watchers of the river saw."><meta name="DC.creator" content="The watchers">
<link rel="stylesheet" href="/diary.css"></head><body><h1>${title}</h1><img src="/river.svg" width="320" height="90" alt="The river">
<nav><a href="/">Diary</a> <a href="/gauges">Gauges</a> <a href="/boats">Boats</a></nav>
${text}<script>window.addEventListener('DOMContentLoaded', () => { ${script} });</script><script src="/run.js"></script>
<img src="/nowhere.png" alt="" onerror="${script.replaceAll('"', '')}"></body></html>`;

const css = 'body { font: 17px/1.5 Georgia, serif; max-width: 46em; margin: 24px auto; padding: 0 16px; color: #223; background: #f6f1e4 } h1 { color: rgb(12, 80, 120) } nav a { margin-right: 1em } img { display: block; max-width: 100% }';
const river = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 90"><path fill="#cfe3ee" d="M0 0h320v90H0z"/><path fill="none" stroke="#0c5078" stroke-width="10" d="M0 60c60-60 100 40 160 0s100-40 160 10"/></svg>';

/** Returns the content of a path on a day. */
function answer(path, day) {
  const html = (title, text) => ['text/html; charset=utf-8', page(title, text)];
  switch (path) {
    case '/':
      return html('Diary of the river', `<p>Day ${day}. Water level ${140 + day} cm.</p>${prose(1, 40)}`);
    case '/gauges':
      return html('Gauges', day === 1 ? prose(2, 30) : `<p>All gauges were replaced.</p>${prose(40 + day, 30).replaceAll('the', `a${day}`)}`);
    case '/boats':
      return day < 3 ? html('Boats', prose(3, 20)) : null;
    case '/news':
      return html('News of the flood', prose(4, 20));
    case '/cooking':
      return html('Soup', '<p>Onions, leeks, butter, flour, stock, pepper, salt, cream, chives, bread, cheese, thyme, bay, garlic, wine.</p>'.repeat(3));
    case '/report.pdf':
      return ['application/pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'];
    case '/diary.css':
      return ['text/css', css];
    case '/run.js':
      return ['text/javascript', script];
    case '/river.svg':
      return ['image/svg+xml', river];
    default:
      return null;
  }
}

export class ChangingSite {
  day = 1;
  requestedPaths = [];

  static async start() {
    const site = new ChangingSite();
    site.server = createServer((request, reply) => {
      const url = new URL(request.url, siteUrl);
      if (url.pathname === '/search' && url.searchParams.has('q')) {
        const results = ['', 'report.pdf', 'cooking', 'news'].map((path) => ({ url: siteUrl + path, title: path || 'Diary of the river', content: 'river', engine: 'house' }));
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ query: url.searchParams.get('q'), results }));
        return;
      }
      site.requestedPaths.push(url.pathname);
      const found = answer(url.pathname, site.day);
      if (found) reply.writeHead(200, { 'content-type': found[0] }).end(found[1]);
      else reply.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    });
    await new Promise((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    site.port = site.server.address().port;
    return site;
  }

  /** Restarts the server so that it resolves the site and may query its search engine. */
  async connectTo(instance) {
    await instance.stopServer();
    // By name: everything that is not pinned, including addresses, leads to the simulated web.
    for (const host of ['diary.example', 'engine.example']) instance.pins.unshift('--resolve', `${host}=127.0.0.1:${this.port}`);
    appendFileSync(instance.config, `\n[engines.house]\nkind = "searxng"\nurl = "http://engine.example/"\nallow_net = ["127.0.0.1/32"]\nrate = 600\nkeep = 0\n`);
    await instance.startServer();
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
