import { sendTestMail } from '@assay/shared/settings.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

export function MailSettings({ form, unsaved }: { form: SettingsFormState; unsaved: boolean }) {
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
  const [result, setResult] = useState<{ good: boolean; message: string } | null>(null)

  async function send() {
    setResult(null)
    try {
      const { outcome, message } = await test.send({})
      setResult({ good: outcome !== 'failed', message })
    } catch (cause) {
      setResult({ good: false, message: messageOf(cause, 'The test email could not be sent.') })
    }
  }

  return (
    <>
      <Button
        variant="default"
        loading={test.sending}
        disabled={unsaved}
        title={unsaved ? 'Save the email settings first' : undefined}
        onClick={() => void send()}
      >
        Send me a test email
      </Button>
      <div role="status" className={classes.result}>
        {result && <Notice tone={result.good ? 'note' : 'bad'}>{result.message}</Notice>}
      </div>
    </>
  )
}
