/** The circuit of one caller at one source. It holds back a caller whose requests fail, and no other. */
interface Circuit {
  /** Failures in a row. */
  failures: number;
  /** Epoch milliseconds; `null` = closed. */
  openedAt: number | null;
  isProbing: boolean;
}

/** The circuits of a source's callers. A caller that does not fail has none. */
export interface CallerCircuits {
  /** Milliseconds until the caller may try; 0 = now. With an open circuit, this attempt is its one probe. */
  enter(caller: string): number;
  /** Counts the result of an attempt; `null` = it says nothing about the source. Returns how the circuit changed. */
  leave(caller: string, isFault: boolean | null): "opened" | "closed" | null;
  /** Whether any caller's circuit is open. */
  anyOpen(): boolean;
  clear(): void;
}

/** The most callers to remember. With more, the caller that failed first is forgotten. */
const MAX_CALLERS = 10_000;

/** Circuits that open after `failuresToOpen` failures in a row, for `openMs` milliseconds. */
export function callerCircuits(failuresToOpen: number, openMs: number): CallerCircuits {
  const circuits = new Map<string, Circuit>();
  const countFault = (caller: string): "opened" | null => {
    const circuit = circuits.get(caller) ?? { failures: 0, openedAt: null, isProbing: false };
    if (!circuits.has(caller)) {
      const [first] = circuits.size >= MAX_CALLERS ? circuits.keys() : [];
      if (first !== undefined) circuits.delete(first);
      circuits.set(caller, circuit);
    }
    circuit.failures += 1;
    const opens = circuit.isProbing || (circuit.openedAt === null && circuit.failures >= failuresToOpen);
    circuit.isProbing = false;
    if (opens) circuit.openedAt = Date.now();
    return opens ? "opened" : null;
  };
  return {
    enter(caller) {
      const circuit = circuits.get(caller);
      if (circuit === undefined || circuit.openedAt === null) return 0;
      const left = circuit.openedAt + openMs - Date.now();
      if (left > 0) return left;
      if (circuit.isProbing) return 1;
      circuit.isProbing = true;
      return 0;
    },
    leave(caller, isFault) {
      if (isFault === true) return countFault(caller);
      const circuit = circuits.get(caller);
      if (circuit === undefined) return null;
      if (isFault === null) {
        circuit.isProbing = false;
        return null;
      }
      circuits.delete(caller);
      return circuit.openedAt === null ? null : "closed";
    },
    anyOpen: () => [...circuits.values()].some(({ openedAt }) => openedAt !== null),
    clear: () => circuits.clear(),
  };
}
