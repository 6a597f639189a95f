import { Panel } from '../../../components/layout/Panel.tsx'
import { SettingField, type SettingsFormState } from './SettingField.tsx'
import classes from './SettingsPage.module.css'

const choices = [
  { value: 'open', label: 'Open: anyone can register and teach' },
  { value: 'approval', label: 'Approval: an administrator decides' },
  { value: 'closed', label: 'Closed: administrators add accounts' },
]

export function RegistrationSettings({ form }: { form: SettingsFormState }) {
  return (
    <Panel title="Registration and support">
      <div className={classes.fields}>
        <SettingField form={form} name="instructor_registration" label="Instructor registration" choices={choices} />
        <SettingField
          form={form}
          name="support_email"
          kind="email"
          label="Support email"
          hint="The address “Contact Support” writes to. Leave empty for none."
        />
      </div>
    </Panel>
  )
}
