import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router-dom'

type LinkButtonProps = ButtonProps & Omit<LinkProps, keyof ButtonProps>

export function PrimaryLinkButton(props: LinkButtonProps) {
  return <Button component={Link} {...props} />
}

export function LinkButton(props: LinkButtonProps) {
  return <PrimaryLinkButton variant="default" {...props} />
}

type PlainButtonProps = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>

export function SecondaryButton(props: PlainButtonProps) {
  return <Button variant="default" {...props} />
}

export function SubtleButton(props: PlainButtonProps) {
  return <Button variant="subtle" {...props} />
}

export function CancelButton(props: PlainButtonProps) {
  return <SecondaryButton {...props}>Cancel</SecondaryButton>
}
