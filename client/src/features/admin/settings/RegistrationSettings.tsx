import { Panel } from '../../../components/layout/Panel.tsx'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

const choices = [
  { value: 'open', label: 'Open: whoever registers can teach at once' },
  { value: 'approval', label: 'By approval: an administrator lets each one in' },
  { value: 'closed', label: 'Closed: administrators make the accounts' },
]

export function RegistrationSettings({ form }: { form: SettingsFormState }) {
  return (
    <Panel title="Registration and support">
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="instructor_registration"
          label="Registration of instructors"
          choices={choices}
        />
        <SettingField
          form={form}
          name="support_email"
          kind="email"
          label="Support e-mail"
          hint="Where “Contact Support” writes to. Empty: nobody is named."
        />
      </div>
    </Panel>
  )
}
