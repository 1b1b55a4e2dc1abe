/** The script of every worker: its name says whether it answers questions or computes a run. */
const part = self.name === 'desk' ? import('./desk.js') : import('./runWork.js');

self.onmessage = async (event: MessageEvent) => (await part).receive(event);
