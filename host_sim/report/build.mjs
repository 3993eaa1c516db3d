// Bundles the report into one HTML file without a reference to anything outside of it.
//   node build.mjs OUT.html
import {build} from 'esbuild';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const bundle = async (entry) => {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
};

const [script, style] = await Promise.all([bundle('main.js'), bundle('style.css')]);
if (script.includes('</script')) throw new Error('the bundle would end its own script element');
const html = readFileSync(join(here, 'template.html'), 'utf8')
  .replace('/*STYLE*/', () => style)
  .replace('/*SCRIPT*/', () => script);
writeFileSync(process.argv[2], html);
