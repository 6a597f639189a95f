import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getSystemLlm } from '@assay/shared/llm/llm.ts'
import {
  changeSystemSettings,
  getStorageUsage,
  getSystemSettings,
  type SystemSettings,
  sendTestMail,
} from '@assay/shared/settings.ts'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { LinkButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { Stats } from '../../../components/display/Stats.tsx'
import { DraftFooter } from '../../../components/feedback/DraftFooter.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { CardSkeletons, Loaded, Page, PageHeader, Panel, RowSkeletons } from '../../../components/layout/Page.tsx'
import panel from '../../../components/layout/Panel.module.css'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatBytes, formatCount, formatDollars } from '../../../lib/format.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { toast } from '../../../lib/toast.ts'
import { providerNames } from '../../llm/llm-labels.ts'
import { RetentionSettings, useSchoolRule } from './RetentionSettings.tsx'
import { SettingField } from './SettingField.tsx'
import classes from './SettingsPage.module.css'
import { type SettingsFormState, settingsBody, settingsFormValues } from './settings-form.ts'

export function SettingsPage() {
  const settings = useGet(getSystemSettings)
  return (
    <Page width="standard">
      <PageHeader
        title="System Settings"
        subtitle="Changes take effect immediately. Settings from the server’s environment cannot be changed here."
      />
      <Loaded query={settings} skeleton={<RowSkeletons label="Loading the settings" />}>
        {(data) => <SettingsEditor settings={data} loaded={settings} />}
      </Loaded>
    </Page>
  )
}

function SettingsEditor({ settings, loaded }: { settings: SystemSettings; loaded: QueryResult<SystemSettings> }) {
  const save = useSend(changeSystemSettings)
  const refresh = useRevalidate()
  const form = useContractDraft(changeSystemSettings, {
    stored: settingsFormValues(settings),
    toBody: settingsBody(settings),
  })

  async function send(body: Record<string, string | number | null>, message: string) {
    const after = await save.send({ body })
    loaded.patch(() => after)
    toast.success(message)
    void refresh('/settings/public', '/admin/audit', '/admin/dashboard')
  }

  const fields: SettingsFormState = {
    settings,
    values: form.values,
    errors: form.errors,
    busy: form.submitting,
    setText: (name, text) => form.change({ [name]: text }),
    resetToDefault: (name) => {
      const typed = form.getValues()[name]
      void form.attempt(async () => {
        await send({ [name]: null }, 'Default restored.')
        if (form.getValues()[name] === typed) form.change({ [name]: undefined })
      })
    },
  }

  const rule = useSchoolRule(fields)
  const [asking, setAsking] = useState(false)
  const submit = form.submit((body) => send(body, 'Settings saved.'))

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (rule.mayDelete) setAsking(true)
    else void submit()
  }

  return (
    <>
      <form className={classes.form} noValidate onSubmit={onSubmit}>
        <SettingsPanel title="Registration and support" form={fields} fields={registrationFields} />
        <MailSettings
          form={fields}
          unsaved={form.changed.some((name) => name === 'smtp_url' || name === 'mail_from')}
        />
        <SettingsPanel
          title="Limits"
          about="Computers at a school often share one IP address. A limit that is too low can lock out a whole class."
          form={fields}
          fields={limitFields}
        />
        <SettingsPanel title="Grading" form={fields} fields={gradingFields} />
        <RetentionSettings form={fields} rule={rule} asking={asking} close={() => setAsking(false)} save={submit} />
        <DraftFooter
          form={form}
          fallback="Failed to save the settings. Please try again."
          unsaved="Your changes to the settings have not been saved and will be lost."
        />
      </form>
      <div className={classes.more}>
        <LlmPanel />
        <Panel title="LMS" actions={<LinkButton to="/admin/lms">Manage LMSs</LinkButton>}>
          <p className={panel.about}>
            Learning platforms (Canvas, Moodle, Blackboard, Brightspace, Sakai) whose teachers open Assay from their
            courses.
          </p>
        </Panel>
        <StoragePanel />
      </div>
    </>
  )
}

type SettingSpec = Omit<ComponentProps<typeof SettingField>, 'form'>

const registrationFields: SettingSpec[] = [
  {
    name: 'instructor_registration',
    label: 'Instructor registration',
    choices: [
      { value: 'open', label: 'Open: anyone can register and teach' },
      { value: 'approval', label: 'Approval: an administrator decides' },
      { value: 'closed', label: 'Closed: administrators add accounts' },
    ],
  },
  {
    name: 'support_email',
    kind: 'email',
    label: 'Support email',
    hint: 'The address “Contact Support” writes to. Leave empty for none.',
  },
]

const limitFields: SettingSpec[] = [
  { name: 'limit_sign_in_account', label: 'Failed sign-ins per account and IP address in 15 minutes', kind: 'count' },
  { name: 'limit_sign_in_address', label: 'Failed sign-ins per IP address in 15 minutes', kind: 'count' },
  { name: 'limit_registration', label: 'Registrations per IP address per hour', kind: 'count' },
  { name: 'limit_reset', label: 'Emails with a link per email address per hour', kind: 'count' },
  { name: 'limit_invitations', label: 'Invitations and notices a teacher’s rosters may send per day', kind: 'count' },
  { name: 'limit_upload', label: 'Uploads per user per hour', kind: 'count' },
]

const gradingFields: SettingSpec[] = [
  {
    name: 'grading_concurrency',
    kind: 'count',
    label: 'Papers processed in parallel',
    hint: 'A higher number is faster if the server has free CPUs. 1 to 64.',
  },
]

interface SettingsPanelProps {
  title: string
  about?: string
  form: SettingsFormState
  fields: SettingSpec[]
}

function SettingsPanel({ title, about, form, fields }: SettingsPanelProps) {
  return (
    <Panel title={title}>
      {about && <p className={panel.about}>{about}</p>}
      <div className={classes.fields}>
        {fields.map((field) => (
          <SettingField key={field.name} form={form} {...field} />
        ))}
      </div>
    </Panel>
  )
}

function StoragePanel() {
  const storage = useGet(getStorageUsage)
  return (
    <Panel title="Storage">
      <Loaded query={storage} skeleton={<CardSkeletons count={4} height={92} label="Loading storage" />}>
        {(data) => (
          <>
            <p className={panel.about}>
              Papers are stored in <code>{data.folder}</code>. Set DATA_DIR in the server’s environment to change this.
            </p>
            <Stats
              label="Storage"
              stats={[
                { label: 'Papers', value: formatCount(data.papers), note: 'duplicates counted once' },
                { label: 'Size of the papers', value: formatBytes(data.paper_bytes) },
                ...(data.database_bytes === null
                  ? []
                  : [{ label: 'Database', value: formatBytes(data.database_bytes) }]),
                { label: 'Free', value: formatBytes(data.free_bytes), note: `of ${formatBytes(data.total_bytes)}` },
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function LlmPanel() {
  const model = useGet(getSystemLlm)
  return (
    <Panel title="AI model" actions={<LinkButton to="/admin/settings/model">Set up the AI model</LinkButton>}>
      <Loaded query={model} skeleton={<RowSkeletons count={1} label="Loading the AI model" />}>
        {({ settings: { provider, model: name }, month: { spent, budget, enforceable } }) =>
          provider === 'offline' ? (
            <p className={panel.about}>
              Grades are suggested by <strong>the built-in grader</strong>. It runs on this server. No papers leave it.
            </p>
          ) : (
            <p className={panel.about}>
              Grades are suggested by <strong>{name}</strong>
              {provider !== 'openai-compatible' && ` (${providerNames[provider]})`}.{' '}
              {enforceable
                ? `This month it has cost ${formatDollars(spent)}${budget === null ? '' : ` of ${formatDollars(budget)}`}.`
                : 'No prices are set, so the cost is unknown.'}
            </p>
          )
        }
      </Loaded>
    </Panel>
  )
}

function MailSettings({ form, unsaved }: { form: SettingsFormState; unsaved: boolean }) {
  const { values, smtp_unreadable, outbox_folder } = form.settings
  const server = values.smtp_url.value
  return (
    <Panel title="Email" actions={<TestMailButton unsaved={unsaved} />}>
      <p className={panel.about}>
        {server === null ? (
          <>
            There is no mail server. Mail is written to <code>{outbox_folder}</code> and not sent.
          </>
        ) : (
          <>
            Mail is sent through <code>{server}</code>.
          </>
        )}
      </p>
      {smtp_unreadable && (
        <Notice tone="warn">
          The stored mail server cannot be decrypted because SECRET_KEY has changed. Enter it again.
        </Notice>
      )}
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="smtp_url"
          label="Mail server"
          hint={
            server === null
              ? 'Include the user and password if the server requires them. They are stored encrypted and never shown again.'
              : 'A server and its password are stored. Enter another to replace them.'
          }
          placeholder="smtp://user:secret@mail.school.example:587"
          resetLabel="Remove server"
        />
        <SettingField form={form} name="mail_from" label="From" hint="The sender’s address." />
      </div>
    </Panel>
  )
}

function TestMailButton({ unsaved }: { unsaved: boolean }) {
  const test = useSend(sendTestMail)
  const [result, setResult] = useState<ReplyOf<typeof sendTestMail>>()

  async function send() {
    setResult(undefined)
    setResult(await test.attempt({}))
  }
  return (
    <>
      <SecondaryButton
        loading={test.sending}
        disabled={unsaved}
        title={unsaved ? 'Save the email settings first' : undefined}
        onClick={() => void send()}
      >
        Send me a test email
      </SecondaryButton>
      <div role="status" className={classes.result}>
        {result && <Notice tone={result.outcome === 'failed' ? 'bad' : 'note'}>{result.message}</Notice>}
        <ErrorNotice error={test.error} fallback="The test email could not be sent." />
      </div>
    </>
  )
}
