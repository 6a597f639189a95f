import { lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import type { LmsKind } from '@assay/shared/lti/lti.ts'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'
import { errorFields, LmsInputFields } from './LmsInputFields.tsx'
import { EndpointFields, IdentityFields } from './PlatformFields.tsx'
import { ToolValuesSection } from './ToolValuesSection.tsx'
import { useLmsInputs } from './useLmsInputs.ts'

/** Ours into the LMS, the LMS's into here. Only what it gives is asked for; the rest follows, and can be changed. */
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
    navigate(`/admin/lms/${platform.id}`)
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
          {failure && <Notice tone="bad">{messageOf(failure, 'Nothing was registered. Please try again.')}</Notice>}
          {Object.keys(errors).length > 0 && (
            <Notice tone="bad">Nothing was registered. Please correct the marked fields.</Notice>
          )}
          <div className={classes.buttons}>
            <Button type="submit" size="sm" loading={form.submitting}>
              Register {guide.name === 'Another LMS' ? 'the LMS' : guide.name}
            </Button>
          </div>
        </form>
      </Panel>
    </div>
  )
}
