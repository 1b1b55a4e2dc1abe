/** The script of every worker: its name says whether it computes a run or answers questions. */
const part = self.name.startsWith('run ') ? import('./runWork.js') : import('./desk.js');

self.onmessage = async (event: MessageEvent) => (await part).receive(event);
