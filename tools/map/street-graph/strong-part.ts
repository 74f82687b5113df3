/**
 * The number of nodes, evenly spread over the graph, from which the search for the large part starts; it contains
 * almost all nodes.
 */
const TRIES = 40;

/** The nodes of the largest part of the graph in which every node can be reached from every other. */
export function strongPart(nodes: number, edges: readonly (readonly [from: number, to: number, oneway: boolean])[]) {
  const forward: number[][] = Array.from({ length: nodes }, () => []);
  const backward: number[][] = Array.from({ length: nodes }, () => []);
  for (const [from, to, oneway] of edges) {
    forward[from]?.push(to);
    backward[to]?.push(from);
    if (oneway) continue;
    forward[to]?.push(from);
    backward[from]?.push(to);
  }
  let best = new Uint8Array(nodes);
  let bestSize = 0;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const start = Math.floor((nodes * attempt) / TRIES);
    if (best[start]) continue;
    const there = reach(forward, start);
    const back = reach(backward, start);
    const part = there.map((reached, node) => reached & (back[node] ?? 0));
    const size = part.reduce((sum, reached) => sum + reached, 0);
    if (size > bestSize) [best, bestSize] = [part, size];
  }
  return best;
}

function reach(next: readonly (readonly number[])[], start: number): Uint8Array<ArrayBuffer> {
  const reached = new Uint8Array(next.length);
  reached[start] = 1;
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbour of next[node] ?? []) {
      if (reached[neighbour]) continue;
      reached[neighbour] = 1;
      open.push(neighbour);
    }
  }
  return reached;
}
