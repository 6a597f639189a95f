import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

const limits = [
  ['limit_sign_in_account', 'Failed sign-ins for one account from one address, in 15 minutes'],
  ['limit_sign_in_address', 'Failed sign-ins from one address, in 15 minutes'],
  ['limit_registration', 'Registrations from one address, in an hour'],
  ['limit_reset', 'Mails with a link for one address, in an hour'],
  ['limit_upload', 'Uploads of one user, in an hour'],
] as const

export function LimitSettings({ form }: { form: SettingsFormState }) {
  return (
    <Panel title="Limits">
      <p className={panel.about}>
        A school’s computers often share one address: too low a limit keeps a whole class out.
      </p>
      <div className={classes.fields}>
        {limits.map(([name, label]) => (
          <SettingField key={name} form={form} name={name} kind="count" label={label} />
        ))}
      </div>
    </Panel>
  )
}
