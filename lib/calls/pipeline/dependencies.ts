import type { Resolver } from "@/lib/access/decide/remember";
import { findApproval } from "@/lib/store/calls/approvals";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { writeIntent, writeOutcome, writeRefusal } from "@/lib/store/log/executions-log";
import { announceRefusal } from "@/lib/store/events/announced-refusals";
import { claimKey, storeAnswer, freeKey, queueCall } from "@/lib/store/calls/stored-calls";
import { findHeldLabels, raiseLabels } from "@/lib/store/labels/held-labels";
import type { LimitStore } from "@/lib/store/calls/limits";
import { findSession, isSessionFree } from "@/lib/store/calls/sessions";
import { currentSnapshot, noteRevision } from "@/lib/store/snapshot/snapshot";
import { sharedLimits } from "@/lib/calls/limits/limit-store";
import { measuredResolve } from "@/lib/calls/pipeline/measured-resolve";
import type { Resilience } from "@/lib/calls/limits/resilience";
import { sharedResilience } from "@/lib/calls/limits/shared-resilience";
import { observeRules } from "@/lib/calls/record/observe-rules";
import { runners, type Runners } from "@/lib/calls/runners/index";

/**
 * The effects of the pipeline, as arguments: a test wraps one of them to make a change between two steps,
 * and uses the production code for all others.
 */
export interface Dependencies {
  readonly snapshot: typeof currentSnapshot;
  readonly noteRevision: typeof noteRevision;
  readonly resolve: Resolver["resolve"];
  readonly findSession: typeof findSession;
  readonly findHeldLabels: typeof findHeldLabels;
  readonly isSessionFree: typeof isSessionFree;
  readonly liveInstance: typeof liveInstance;
  readonly writeIntent: typeof writeIntent;
  readonly raiseLabels: typeof raiseLabels;
  readonly writeOutcome: typeof writeOutcome;
  readonly writeRefusal: typeof writeRefusal;
  readonly announceRefusal: typeof announceRefusal;
  /** Notes what observed rules would change; never throws. */
  readonly observe: typeof observeRules;
  readonly storedCalls: StoredCalls;
  readonly limits: LimitStore;
  readonly resilience: Resilience;
  readonly runners: Runners;
  /** For the separate calls that a script makes; absent = these. */
  readonly nested?: Dependencies;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock, for durations. */
  readonly elapsed: () => number;
}

/** Answers that outlive their request. */
interface StoredCalls {
  readonly claimKey: typeof claimKey;
  readonly freeKey: typeof freeKey;
  readonly storeAnswer: typeof storeAnswer;
  readonly queueCall: typeof queueCall;
  readonly findApproval: typeof findApproval;
}

/** The dependencies in production. */
export function production(): Dependencies {
  return {
    snapshot: currentSnapshot,
    noteRevision,
    resolve: measuredResolve,
    findSession,
    findHeldLabels,
    isSessionFree,
    liveInstance,
    writeIntent,
    raiseLabels,
    writeOutcome,
    writeRefusal,
    announceRefusal,
    observe: observeRules,
    storedCalls: { claimKey, freeKey, storeAnswer, queueCall, findApproval },
    limits: sharedLimits(),
    resilience: sharedResilience(),
    runners,
    now: Date.now,
    elapsed: () => performance.now(),
  };
}
