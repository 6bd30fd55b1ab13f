// Writes the policy of reports: the script and the style that the page holds, by their hashes, and
// nothing else. Usage: node policy.mjs STYLE SCRIPT OUT
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const [style, script, out] = process.argv.slice(2);
const hash = (file) => `'sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}'`;
writeFileSync(out, `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`);
