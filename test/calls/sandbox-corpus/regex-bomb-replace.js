// expect: sandbox_timeout
export default () => ("x".repeat(40) + "y").replace(/(x*)*z/g, "");
