/**
 * The cycles of a directed graph given as a Map from node to its targets: shortest ways round that share no
 * node, so that what is reported can be read. Empty only if there is none.
 */
export function findCycles(graph) {
  const cycles = [];
  const reported = new Set();
  for (const start of graph.keys()) {
    if (reported.has(start)) continue;
    const way = shortestWayRound(graph, start, reported);
    if (way === undefined) continue;
    for (const node of way) reported.add(node);
    cycles.push(way);
  }
  return cycles;
}

/** Breadth first from `start` back to itself, past what has been reported. */
function shortestWayRound(graph, start, reported) {
  const cameFrom = new Map();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(cameFrom, start, node), start];
      if (cameFrom.has(next) || reported.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(cameFrom, start, end) {
  const way = [end];
  for (let node = end; node !== start; way.unshift(node)) node = cameFrom.get(node);
  return way;
}
