import { Button, type ButtonProps } from '@mantine/core'
import type { MouseEventHandler } from 'react'
import { Link, type LinkProps } from 'react-router-dom'

/** A secondary button that leads to another page. */
export function LinkButton(props: ButtonProps & Omit<LinkProps, keyof ButtonProps>) {
  return <Button component={Link} variant="default" {...props} />
}

export function CancelButton(props: ButtonProps & { onClick: MouseEventHandler }) {
  return (
    <Button variant="default" {...props}>
      Cancel
    </Button>
  )
}
