import type { LmsKind } from '@assay/shared/lti/lti.ts'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import { derivePlatformValues, type LmsInputs } from '@assay/shared/rules/derive-platform-values.ts'
import { useState } from 'react'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { type PlatformFormValues, parsePlatformForm } from './platform-form.ts'

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
  const derived = derivePlatformValues(lms, given)
  const form = useContractDraft(createPlatform, {
    stored: {
      ...derived,
      token_audience: derived.token_audience ?? '',
      origins: derived.origins.join('\n'),
      client_id: given.client_id,
      deployments: given.deployment,
      deployments_fixed: false,
    } as PlatformFormValues,
    toBody: (texts) => ({ ...parsePlatformForm(texts), lms }),
  })
  return {
    given,
    form,
    give(change: Partial<LmsInputs>) {
      setGiven((now) => ({ ...now, ...change }))
      // Other fields follow from it, and what was wrong with them may be so no more.
      form.clearErrors()
      // The same value is in both places; the last change counts.
      if (change.client_id !== undefined) form.change({ client_id: undefined })
    },
    set(change: Partial<PlatformFormValues>) {
      const { client_id, ...rest } = change
      if (client_id !== undefined) setGiven((now) => ({ ...now, client_id }))
      form.change(rest)
    },
  }
}
