import { createManagedUser } from '@assay/shared/admin.ts'
import { Role } from '@assay/shared/users.ts'
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { toast } from '../../../lib/toast.ts'
import { roleDescriptions, roleNames } from './account-labels.ts'
import classes from './CreateUserModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  created: () => void
}

const initialValues = {
  username: '',
  email: '',
  role: 'instructor' as Role,
  full_name: '',
  institution: '',
  hand_over: 'mail' as 'mail' | 'once',
}

export function CreateUserModal({ opened, close, created }: Props) {
  const [made, setMade] = useState<{ username: string; password: string } | null>(null)
  const create = useSend(createManagedUser)
  const form = useContractForm(createManagedUser, {
    initialValues,
    toBody: ({ full_name, institution, ...rest }) => ({
      ...rest,
      full_name: full_name.trim() || undefined,
      institution: institution.trim() || undefined,
    }),
  })

  function finish() {
    setMade(null)
    close()
  }

  const submit = form.submit(async (body) => {
    const { user, password } = await create.send({ body })
    created()
    const { role, hand_over } = form.getValues()
    form.setValues({ ...initialValues, role, hand_over })
    if (password !== null) setMade({ username: user.username, password })
    else {
      toast.success(`The invitation is on its way to ${user.email}.`)
      close()
    }
  })
  const text = (field: keyof typeof initialValues) => ({ ...form.getInputProps(field), autoComplete: 'off' })

  if (made) {
    return (
      <Modal opened={opened} onClose={finish} title={`${made.username} can sign in`}>
        <p>Copy this password now. It is not stored and will not be shown again. Hand it over in person.</p>
        <p className={classes.password} data-autofocus tabIndex={-1}>
          {made.password}
        </p>
        <div className={classes.buttons}>
          <SecondaryButton
            onClick={() =>
              void navigator.clipboard.writeText(made.password).then(
                () => toast.success('Password copied.'),
                () => toast.error('Could not copy. Select the text and copy it manually.'),
              )
            }
          >
            Copy password
          </SecondaryButton>
          <Button onClick={finish}>Done</Button>
        </div>
      </Modal>
    )
  }
  return (
    <Modal opened={opened} onClose={close} title="Create User">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput label="Username" required data-autofocus maxLength={64} {...text('username')} />
        <TextInput label="Email Address" required type="email" maxLength={254} {...text('email')} />
        <NativeSelect
          label="Role"
          description={roleDescriptions[form.values.role]}
          {...form.getInputProps('role')}
          data={Role.options.map((one) => ({ value: one, label: roleNames[one] }))}
        />
        <TextInput label="Full Name (optional)" maxLength={120} {...text('full_name')} />
        <TextInput label="Institution (optional)" maxLength={160} {...text('institution')} />
        <NativeSelect
          label="First sign-in"
          {...form.getInputProps('hand_over')}
          data={[
            { value: 'mail', label: 'Email a link to set a password' },
            { value: 'once', label: 'Generate a password and show it once' },
          ]}
        />
        <ErrorNotice error={form.failure} fallback="Failed to create the user. Please try again." />
        <div className={classes.buttons}>
          <CancelButton onClick={close} />
          <Button type="submit" loading={form.submitting}>
            Create User
          </Button>
        </div>
      </form>
    </Modal>
  )
}
