// expect: sandbox_error
export default () => JSON.parse("[".repeat(120000) + "]".repeat(120000)).length;
