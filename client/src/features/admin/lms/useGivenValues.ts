import type { LmsKind } from '@assay/shared/lti.ts'
import { deriveValues, type GivenValues } from '@assay/shared/rules/lms-values.ts'
import { useState } from 'react'
import type { PlatformTexts } from './platform-form.ts'

const nothing: GivenValues = {
  site: '',
  client_id: '',
  deployment: '',
  environment: 'production',
  tool_number: '',
}

/** What was asked for, and the form that follows from it: a field somebody has changed by hand follows no more. */
export function useGivenValues(lms: LmsKind) {
  const [given, setGiven] = useState(nothing)
  const [byHand, setByHand] = useState<Partial<PlatformTexts>>({})
  const derived = deriveValues(lms, given)
  const texts: PlatformTexts = {
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
    give(change: Partial<GivenValues>) {
      setGiven((now) => ({ ...now, ...change }))
      // The same value stands in both places, and the last word counts.
      if (change.client_id !== undefined) setByHand(({ client_id: _, ...rest }) => rest)
    },
    set(change: Partial<PlatformTexts>) {
      const { client_id, ...rest } = change
      if (client_id !== undefined) setGiven((now) => ({ ...now, client_id }))
      setByHand((now) => ({ ...now, ...rest }))
    },
  }
}
