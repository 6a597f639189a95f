import type { LmsGuide } from '@assay/shared/lti/lms-guides/lms-guide.ts'
import { canvasEnvironments, type LmsInputs } from '@assay/shared/rules/derive-platform-values.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import classes from './Lms.module.css'

const Environment = z.enum(canvasEnvironments)
const environments: Record<z.infer<typeof Environment>, string> = {
  production: 'Instructure (production)',
  beta: 'Instructure (beta)',
  test: 'Instructure (test)',
  own: 'Self-hosted',
}

/** Of which field of the whole form an error is shown at one that was asked for. */
export const errorFields: Partial<Record<keyof LmsInputs, string>> = {
  client_id: 'client_id',
  deployment: 'deployments',
  site: 'origins',
}

interface Props {
  guide: LmsGuide
  given: LmsInputs
  give: (change: Partial<LmsInputs>) => void
  errors: Record<string, ReactNode>
}

/** What this LMS gives, under the names it has there. */
export function LmsInputFields({ guide, given, give, errors }: Props) {
  return (
    <div className={classes.pair}>
      {guide.inputs.map(({ field, label, hint, placeholder, optional }) =>
        field === 'environment' ? (
          <NativeSelect
            key={field}
            label={label}
            description={hint}
            value={given.environment}
            onChange={(event) => give({ environment: Environment.parse(event.currentTarget.value) })}
            data={canvasEnvironments.map((value) => ({ value, label: environments[value] }))}
          />
        ) : (
          <TextInput
            key={field}
            label={optional ? `${label} (optional)` : label}
            required={!optional}
            description={hint}
            placeholder={placeholder}
            value={given[field]}
            onChange={(event) => give({ [field]: event.currentTarget.value })}
            data-path={errorFields[field]}
            error={errors[errorFields[field] ?? '']}
            autoComplete="off"
            spellCheck={false}
            inputMode={field === 'site' ? 'url' : 'text'}
          />
        ),
      )}
    </div>
  )
}
