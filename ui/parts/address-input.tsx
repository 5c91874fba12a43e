import { TextInput, type TextInputProps } from "@mantine/core";
import { type ReactNode, type Ref, useState } from "react";

interface AddressInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** The text that the address has. */
  readonly value: string;
  readonly ref?: Ref<HTMLInputElement>;
  /** Puts what was typed into the address. */
  readonly change: (text: string) => void;
}

/** A field whose text is in the address, which may follow later than the next letter comes: no letter is lost by that. */
export function AddressInput({ value, change, ...others }: AddressInputProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What was typed and is not in the address yet. */
  const [own, setOwn] = useState<readonly string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const at = own.indexOf(value);
    setOwn(at < 0 ? [] : own.slice(at + 1));
    // The address may change by other ways than typing: back, a link, the palette.
    if (at < 0) setTyped(value);
  }
  return (
    <TextInput
      {...others}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setOwn([...own, text]);
        change(text);
      }}
    />
  );
}
