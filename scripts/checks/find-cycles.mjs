/**
 * The cycles of a directed graph, which is a Map from each node to its targets. Returns shortest cycles without common nodes, to
 * keep reports short. Empty only if there is no cycle.
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

/** Searches breadth-first from `start` back to itself, without nodes that were reported. */
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
