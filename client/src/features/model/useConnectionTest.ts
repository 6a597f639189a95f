import { type ModelCheck, type ModelTest, ModelTestStep } from '@assay/shared/model.ts'
import { speedAndCost } from '@assay/shared/rules/model-test.ts'
import { useEffect, useRef, useState } from 'react'
import { asApiError, messageOf } from '../../lib/api-error.ts'

/** One step, as the server tells it; null when what stands in the fields cannot be tested, which is said there. */
export type RunStep = (only: ModelTestStep, signal: AbortSignal) => Promise<ModelTest | null>

interface Told {
  tests: ModelTest[]
  /** Why it could not be made at all. */
  failed: string | null
  stopped: boolean
}

export interface ConnectionTesting {
  /** The step under way. */
  step: ModelTestStep | null
  told: Told | null
  /** A line each, in order; a step has none before it is done. */
  checks: ModelCheck[]
  start: () => void
  stop: () => void
}

/** Takes the steps of a test one after the other, and stops at once when told to, or when the screen is left. */
export function useConnectionTest(run: RunStep): ConnectionTesting {
  const [step, setStep] = useState<ModelTestStep | null>(null)
  const [told, setTold] = useState<Told | null>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  async function start() {
    const stop = new AbortController()
    under.current = stop
    const { signal } = stop
    const tests: ModelTest[] = []
    const tell = (more: Partial<Told> = {}) =>
      setTold({ tests: [...tests], failed: null, stopped: false, ...more })
    tell()
    try {
      for (const next of ModelTestStep.options) {
        // One that failed may have made those after it useless.
        if (tests.some(({ checks }) => checks.some(({ check }) => check === next))) continue
        setStep(next)
        const test = await run(next, signal)
        if (!test) return setTold(null)
        tests.push(test)
        tell()
      }
    } catch (cause) {
      if (signal.aborted) return tell({ stopped: true })
      const atFields = Object.keys(asApiError(cause).fields).length > 0
      tell({
        failed: atFields
          ? 'Nothing was tested. Please correct the marked fields.'
          : messageOf(cause, 'The test could not be made. Please try again.'),
      })
    } finally {
      setStep(null)
    }
  }

  const done = told && step === null ? speedAndCost(told.tests) : []
  return {
    step,
    told,
    checks: [...(told?.tests ?? []).flatMap(({ checks }) => checks), ...done],
    start: () => void start(),
    stop: () => under.current?.abort(),
  }
}
