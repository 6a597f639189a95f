import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router-dom'

type LinkButtonProps = ButtonProps & Omit<LinkProps, keyof ButtonProps>

/** A button that leads to another page, where that is the main thing to do. */
export function PrimaryLinkButton(props: LinkButtonProps) {
  return <Button component={Link} {...props} />
}

/** A secondary button that leads to another page. */
export function LinkButton(props: LinkButtonProps) {
  return <PrimaryLinkButton variant="default" {...props} />
}

type PlainButtonProps = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>

export function SecondaryButton(props: PlainButtonProps) {
  return <Button variant="default" {...props} />
}

/** For what is seldom wanted, or stands beside what matters more. */
export function SubtleButton(props: PlainButtonProps) {
  return <Button variant="subtle" {...props} />
}

export function CancelButton(props: PlainButtonProps) {
  return <SecondaryButton {...props}>Cancel</SecondaryButton>
}
