// expect: sandbox_memory sandbox_error
export default () => new ArrayBuffer(2 ** 31 - 1).byteLength;
