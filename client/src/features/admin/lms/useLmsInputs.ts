import type { LmsKind } from '@assay/shared/lti/lti.ts'
import { derivePlatformValues, type LmsInputs } from '@assay/shared/rules/derive-platform-values.ts'
import { useState } from 'react'
import type { PlatformFormValues } from './platform-form.ts'

const emptyInputs: LmsInputs = {
  site: '',
  client_id: '',
  deployment: '',
  environment: 'production',
  tool_number: '',
}

/** What was asked for, and the form that follows from it: a field somebody has changed by hand follows no more. */
export function useLmsInputs(lms: LmsKind) {
  const [given, setGiven] = useState(emptyInputs)
  const [byHand, setByHand] = useState<Partial<PlatformFormValues>>({})
  const derived = derivePlatformValues(lms, given)
  const texts: PlatformFormValues = {
    ...derived,
    token_audience: derived.token_audience ?? '',
    origins: derived.origins.join('\n'),
    client_id: given.client_id,
    deployments: given.deployment,
    deployments_fixed: false,
    ...byHand,
  }
  return {
    given,
    texts,
    give(change: Partial<LmsInputs>) {
      setGiven((now) => ({ ...now, ...change }))
      // The same value is in both places; the last change counts.
      if (change.client_id !== undefined) setByHand(({ client_id: _, ...rest }) => rest)
    },
    set(change: Partial<PlatformFormValues>) {
      const { client_id, ...rest } = change
      if (client_id !== undefined) setGiven((now) => ({ ...now, client_id }))
      setByHand((now) => ({ ...now, ...rest }))
    },
  }
}
