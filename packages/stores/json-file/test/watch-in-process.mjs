import { openJsonFileStore } from "@sessions/json-file";

/** Begins to watch and then has nothing else to do: a process that only watches ends. */
const { root } = JSON.parse(process.argv[2]);
const store = await openJsonFileStore({ root });
void (async () => {
  for await (const change of store.watch()) console.log(JSON.stringify(change));
})();
