import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import classes from './PasswordField.module.css'

export function PasswordField(props: TextInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSectionWidth={64}
      rightSection={
        <UnstyledButton
          className={classes.toggle}
          onClick={() => setShown(!shown)}
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-controls={props.id}
        >
          {shown ? 'Hide' : 'Show'}
        </UnstyledButton>
      }
    />
  )
}

export const UsernameInput = (props: TextInputProps) => (
  <TextInput label="Username" autoComplete="username" autoCapitalize="none" spellCheck={false} required {...props} />
)
