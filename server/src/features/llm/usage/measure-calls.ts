import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import type { LlmCallLedger } from '../../../grader/llm/llm-call-ledger.ts'
import type { Metrics } from '../../../lib/metrics/metrics.ts'
import type { LlmCallDoc } from '../../../records/llm/llm-call.model.ts'

/** Counts what is recorded for Prometheus. */
export function measureCalls(
  ledger: LlmCallLedger,
  { provider, payer }: { provider: LlmProvider; payer: LlmCallDoc['payer'] },
  metrics: Pick<Metrics, 'llmSeconds' | 'llmTokens' | 'llmDollars' | 'llmBudgetRefusals'>,
): LlmCallLedger {
  return {
    ...ledger,
    async begin(call) {
      try {
        return await ledger.begin(call)
      } catch (error) {
        if (error instanceof LlmError && error.code === 'budget') metrics.llmBudgetRefusals.inc({ payer })
        throw error
      }
    },
    async finish(callId, end) {
      await ledger.finish(callId, end)
      const { outcome, error_code, ms, input_tokens, output_tokens, dollars } = end
      metrics.llmSeconds.observe({ provider, outcome: error_code ?? outcome }, ms / 1000)
      metrics.llmTokens.inc({ provider, direction: 'input' }, input_tokens)
      metrics.llmTokens.inc({ provider, direction: 'output' }, output_tokens)
      metrics.llmDollars.inc({ provider, payer }, dollars ?? 0)
    },
  }
}
