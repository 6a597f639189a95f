import { type LlmCheck, type LlmTest, type LlmTestStep, llmTestSteps } from '@assay/shared/llm/llm.ts'
import { speedAndCost } from '@assay/shared/rules/llm-test-checks.ts'
import { useEffect, useRef, useState } from 'react'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'

/** One step, as the server reports it; null when the fields' values cannot be tested, which is shown there. */
export type RunStep = (only: LlmTestStep, signal: AbortSignal) => Promise<LlmTest | null>

interface TestProgress {
  tests: LlmTest[]
  /** Why it could not be made at all. */
  failed: string | null
  stopped: boolean
}

export interface ConnectionTestState {
  /** The step under way. */
  step: LlmTestStep | null
  progress: TestProgress | null
  /** A line each, in order; a step has none before it is done. */
  checks: LlmCheck[]
  start: () => void
  stop: () => void
}

/** Takes the steps of a test one after the other, and stops at once when it is stopped, or when the screen is left. */
export function useConnectionTest(run: RunStep): ConnectionTestState {
  const [step, setStep] = useState<LlmTestStep | null>(null)
  const [progress, setProgress] = useState<TestProgress | null>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  async function start() {
    const stop = new AbortController()
    under.current = stop
    const { signal } = stop
    const tests: LlmTest[] = []
    const report = (more: Partial<TestProgress> = {}) =>
      setProgress({ tests: [...tests], failed: null, stopped: false, ...more })
    report()
    try {
      for (const next of llmTestSteps) {
        // One that failed may have made those after it useless.
        if (tests.some(({ checks }) => checks.some(({ check }) => check === next))) continue
        setStep(next)
        const test = await run(next, signal)
        if (!test) return setProgress(null)
        tests.push(test)
        report()
      }
    } catch (cause) {
      if (signal.aborted) return report({ stopped: true })
      const atFields = Object.keys(asApiError(cause).fields).length > 0
      report({
        failed: atFields
          ? 'Nothing was tested. Please correct the marked fields.'
          : messageOf(cause, 'The test could not be started. Please try again.'),
      })
    } finally {
      setStep(null)
    }
  }

  const done = progress && step === null ? speedAndCost(progress.tests) : []
  return {
    step,
    progress,
    checks: [...(progress?.tests ?? []).flatMap(({ checks }) => checks), ...done],
    start: () => void start(),
    stop: () => under.current?.abort(),
  }
}
