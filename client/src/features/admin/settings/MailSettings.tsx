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
    <Panel title="Mail" actions={<TestMailButton unsaved={unsaved} />}>
      <p className={panel.about}>
        {server === null ? (
          <>
            There is no mail server. Mail is written to <code>{outbox_folder}</code> and reaches nobody.
          </>
        ) : (
          <>
            Mail goes out by <code>{server}</code>.
          </>
        )}
      </p>
      {smtp_unreadable && (
        <Notice tone="warn">
          The mail server was stored under another SECRET_KEY and cannot be read any more. Enter it again.
        </Notice>
      )}
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="smtp_url"
          label="Mail server"
          hint={
            server === null
              ? 'With user and password where it wants them. They are kept encrypted and never shown again.'
              : 'A server is kept, with its password. Type another to replace it.'
          }
          placeholder="smtp://user:secret@mail.school.example:587"
          resetLabel="Remove server"
        />
        <SettingField form={form} name="mail_from" label="From" hint="Whom mail comes from." />
      </div>
    </Panel>
  )
}

/** Tells what became of a mail, where it was asked for. */
function TestMailButton({ unsaved }: { unsaved: boolean }) {
  const test = useSend(sendTestMail)
  const [told, setTold] = useState<{ good: boolean; message: string } | null>(null)

  async function send() {
    setTold(null)
    try {
      const { outcome, message } = await test.send({})
      setTold({ good: outcome !== 'failed', message })
    } catch (cause) {
      setTold({ good: false, message: messageOf(cause, 'The test mail could not be sent.') })
    }
  }

  return (
    <>
      <Button
        variant="default"
        loading={test.sending}
        disabled={unsaved}
        title={unsaved ? 'Save the mail settings first' : undefined}
        onClick={() => void send()}
      >
        Send a test mail to me
      </Button>
      <div role="status" className={classes.told}>
        {told && <Notice tone={told.good ? 'note' : 'bad'}>{told.message}</Notice>}
      </div>
    </>
  )
}
