// expect: sandbox_error
export default () => new Function("return " + "(".repeat(50000) + ")".repeat(50000))();
