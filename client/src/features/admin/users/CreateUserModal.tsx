import { createManagedUser } from '@assay/shared/admin.ts'
import { Role } from '@assay/shared/users.ts'
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import confirm from '../../../components/feedback/ConfirmModal.module.css'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import { roleDescriptions, roleNames } from './account-labels.ts'
import classes from './CreateUserModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  created: () => void
}

const blank = { username: '', email: '', full_name: '', institution: '' }

/** A new account, of whatever role. Closed half-filled it keeps what was typed. */
export function CreateUserModal({ opened, close, created }: Props) {
  const [texts, setTexts] = useState(blank)
  const [role, setRole] = useState<Role>('instructor')
  const [handOver, setHandOver] = useState<'mail' | 'once'>('mail')
  const [made, setMade] = useState<{ username: string; password: string } | null>(null)
  const create = useSend(createManagedUser)

  function finish() {
    setMade(null)
    close()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    try {
      const { user, password } = await create.send({
        body: {
          username: texts.username,
          email: texts.email,
          role,
          hand_over: handOver,
          ...(texts.full_name.trim() ? { full_name: texts.full_name } : {}),
          ...(texts.institution.trim() ? { institution: texts.institution } : {}),
        },
      })
      created()
      setTexts(blank)
      if (password !== null) setMade({ username: user.username, password })
      else {
        toast.good(`The invitation is on its way to ${user.email}.`)
        close()
      }
    } catch {
      // Shown at the fields and beside the button.
    }
  }

  const fields = create.error?.fields ?? {}
  const atField = Object.keys(blank).some((field) => fields[field])
  const text = (field: keyof typeof blank) => ({
    value: texts[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTexts((now) => ({ ...now, [field]: value }))
    },
    error: fields[field],
    autoComplete: 'off',
  })

  if (made) {
    return (
      <Modal
        opened={opened}
        onClose={finish}
        title={<span className={confirm.title}>{made.username} can sign in</span>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p>Copy this password now. It is not stored and will not be shown again. Hand it over in person.</p>
        <p className={classes.password} data-autofocus tabIndex={-1}>
          {made.password}
        </p>
        <div className={classes.buttons}>
          <Button
            variant="default"
            onClick={() =>
              void navigator.clipboard.writeText(made.password).then(
                () => toast.good('Password copied.'),
                () => toast.bad('Could not copy. Select the text and copy it yourself.'),
              )
            }
          >
            Copy password
          </Button>
          <Button onClick={finish}>Done</Button>
        </div>
      </Modal>
    )
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<span className={confirm.title}>Create User</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput label="Username" required data-autofocus maxLength={64} {...text('username')} />
        <TextInput label="Email Address" required type="email" maxLength={254} {...text('email')} />
        <NativeSelect
          label="Role"
          description={roleDescriptions[role]}
          value={role}
          onChange={(event) => setRole(Role.catch('student').parse(event.currentTarget.value))}
          data={Role.options.map((one) => ({ value: one, label: roleNames[one] }))}
        />
        <TextInput label="Full Name (optional)" maxLength={120} {...text('full_name')} />
        <TextInput label="Institution (optional)" maxLength={160} {...text('institution')} />
        <NativeSelect
          label="First sign-in"
          value={handOver}
          onChange={(event) => setHandOver(event.currentTarget.value === 'once' ? 'once' : 'mail')}
          data={[
            { value: 'mail', label: 'Email a link to set a password' },
            { value: 'once', label: 'Generate a password and show it once' },
          ]}
        />
        {create.error && !atField && (
          <Notice tone="bad">{messageOf(create.error, 'Failed to create the user. Please try again.')}</Notice>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.sending}>
            Create User
          </Button>
        </div>
      </form>
    </Modal>
  )
}
