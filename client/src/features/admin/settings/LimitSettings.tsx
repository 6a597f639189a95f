import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

const limits = [
  ['limit_sign_in_account', 'Failed sign-ins per account and IP address in 15 minutes'],
  ['limit_sign_in_address', 'Failed sign-ins per IP address in 15 minutes'],
  ['limit_registration', 'Registrations per IP address per hour'],
  ['limit_reset', 'Emails with a link per email address per hour'],
  ['limit_invitations', 'Invitations and notices a teacher’s rosters may send per day'],
  ['limit_upload', 'Uploads per user per hour'],
] as const

export function LimitSettings({ form }: { form: SettingsFormState }) {
  return (
    <Panel title="Limits">
      <p className={panel.about}>
        Computers at a school often share one IP address. A limit that is too low can lock out a whole class.
      </p>
      <div className={classes.fields}>
        {limits.map(([name, label]) => (
          <SettingField key={name} form={form} name={name} kind="count" label={label} />
        ))}
      </div>
    </Panel>
  )
}
