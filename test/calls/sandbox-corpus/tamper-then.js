// expect: sandbox_error
Object.prototype.then = (resolve, reject) => reject(new Error("every object is a promise"));
export default () => ({ x: 1 });
