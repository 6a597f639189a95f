import { type LmsGuide, lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import type { LmsKind } from '@assay/shared/lti/lti.ts'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { canvasEnvironments, derivePlatformValues, type LmsInputs } from '@assay/shared/rules/derive-platform-values.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Panel } from '../../../components/layout/Page.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { toast } from '../../../lib/toast.ts'
import { lmsPath } from '../../../paths.ts'
import classes from './Lms.module.css'
import { EndpointFields, IdentityFields, type PlatformFormValues, parsePlatformForm } from './PlatformFields.tsx'
import { ToolValuesSection } from './ToolValuesSection.tsx'

/** Only what the LMS gives is asked for; the rest follows from it, and can be changed. */
export function RegisterByValues({ lms, tool }: { lms: LmsKind; tool: ToolValues }) {
  const guide = lmsGuides[lms]
  const { given, give, form, set } = useLmsInputs(lms)
  const [open, setOpen] = useState(lms === 'other')
  const create = useSend(createPlatform)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const { values: texts, errors, failure } = form
  const asked = new Set(guide.inputs.map(({ field }) => errorFields[field]))
  const below = Object.keys(errors).some((field) => !asked.has(field))

  const submit = form.submit(async (body) => {
    const platform = await create.send({ body })
    toast.success(`${platform.name} is registered.`)
    void refresh('/admin')
    void navigate(lmsPath(platform.id))
  })

  return (
    <div className={classes.parts}>
      <Panel title={`1. Enter Assay’s values in ${guide.name}`}>
        <ToolValuesSection guide={guide} tool={tool} />
      </Panel>
      <Panel title={`2. Enter ${guide.name}’s values here`}>
        <form className={classes.form} noValidate onSubmit={submit}>
          <LmsInputFields guide={guide} given={given} give={give} errors={errors} />
          <details
            className={classes.more}
            open={open || below}
            onToggle={(event) => setOpen(event.currentTarget.open)}
          >
            <summary>{lms === 'other' ? 'Addresses' : 'Derived addresses'}</summary>
            <div className={classes.form}>
              <IdentityFields texts={texts} set={set} errors={errors} />
              <EndpointFields texts={texts} set={set} errors={errors} />
            </div>
          </details>
          <ErrorNotice error={failure} fallback="Nothing was registered. Please try again." />
          {Object.keys(errors).length > 0 && (
            <Notice tone="bad">Nothing was registered. Please correct the marked fields.</Notice>
          )}
          <div className="centered-row">
            <Button type="submit" size="sm" loading={form.submitting}>
              Register {guide.name === 'Another LMS' ? 'the LMS' : guide.name}
            </Button>
          </div>
        </form>
      </Panel>
    </div>
  )
}

const Environment = z.enum(canvasEnvironments)
const environments: Record<z.infer<typeof Environment>, string> = {
  production: 'Instructure (production)',
  beta: 'Instructure (beta)',
  test: 'Instructure (test)',
  own: 'Self-hosted',
}

const errorFields: Partial<Record<keyof LmsInputs, string>> = {
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

function LmsInputFields({ guide, given, give, errors }: Props) {
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

const emptyInputs: LmsInputs = { site: '', client_id: '', deployment: '', environment: 'production', tool_number: '' }

function useLmsInputs(lms: LmsKind) {
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
      // Other fields follow from it, so their errors may be gone.
      form.clearErrors()
      if (change.client_id !== undefined) form.change({ client_id: undefined })
    },
    set(change: Partial<PlatformFormValues>) {
      const { client_id, ...rest } = change
      if (client_id !== undefined) setGiven((now) => ({ ...now, client_id }))
      form.change(rest)
    },
  }
}
