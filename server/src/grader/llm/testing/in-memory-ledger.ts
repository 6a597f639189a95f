import { LlmError } from '../errors/llm-error.ts'
import type { LlmCallLedger, LlmCallResult, LlmCallStart } from '../llm-call-ledger.ts'

interface Row {
  call_id: number
  started: LlmCallStart
  /** Null while it is under way, or for good when the process died. */
  result: LlmCallResult | null
}

/** `budget` in US dollars. */
export class InMemoryLedger implements LlmCallLedger {
  readonly rows: Row[] = []
  budget = Number.POSITIVE_INFINITY

  async find(identity: string) {
    const row = this.rows.findLast(({ started, result }) => started.identity === identity && result?.paid)
    return row?.result ? { call_id: row.call_id, outcome: row.result.outcome, raw: row.result.raw } : null
  }

  async begin(call: LlmCallStart) {
    const spent = this.rows.reduce(
      (sum, { started, result }) => sum + ((result ? result.dollars : started.most_dollars) ?? 0),
      0,
    )
    if (spent + (call.most_dollars ?? 0) > this.budget) throw new LlmError('budget', 'The budget is spent.')
    const call_id = this.rows.length + 1
    this.rows.push({ call_id, started: call, result: null })
    return call_id
  }

  async finish(callId: number, end: LlmCallResult) {
    const row = this.rows.find(({ call_id }) => call_id === callId)
    if (row) row.result = { ...end }
  }

  /** `answered`, `wrong`, or the error's code; `begun` for what never ended. */
  get outcomes(): string[] {
    return this.rows.map(({ result }) => (result ? (result.error_code ?? result.outcome) : 'begun'))
  }
}
