import { CommandProblem, type Output } from "@/bin/commands/output";
import { readConfig } from "@/bin/commands/read-config";
import { readOptions } from "@/bin/commands/read-options";
import { runAssertions } from "@/lib/config/assertions";
import { toConfiguration } from "@/lib/config/document";
