// The server of the studio as a process: prints its link, and ends by Ctrl-C. Arguments: folder, folder of pages, token.
import { serveStudio } from '../../../dist/studio/server/serve.js';

const [folder = '.', web = '', token] = process.argv.slice(2);
const served = await serveStudio({ web, host: { folder }, ...(token && { token }) });
const left = (await served.host?.goOn()) ?? [];
process.stdout.write(`${JSON.stringify({ link: served.link, left })}\n`);
process.on('SIGINT', async () => {
  await served.close();
  process.exit(0);
});
