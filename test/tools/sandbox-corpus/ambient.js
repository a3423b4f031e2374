// expect: ok []
const names = ["process", "require", "module", "Buffer", "fetch", "XMLHttpRequest", "WebAssembly", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "performance", "navigator", "Deno", "Bun", "std", "os", "print", "scriptArgs", "__filename", "Worker", "postMessage", "parentPort", "structuredClone", "crypto", "ask"];
export default () => names.filter((name) => name in globalThis);
