import { TextInput, type TextInputProps } from "@mantine/core";
import { type ReactNode, type Ref, useState } from "react";

interface AddressInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: string;
  readonly ref?: Ref<HTMLInputElement>;
  readonly change: (text: string) => void;
}

/** Field whose text is in the address. The address may follow with a delay, and no typed letter is lost. */
export function AddressInput({ value, change, ...others }: AddressInputProps): ReactNode {
  const [text, setText] = useState(value);
  const [oldValue, setOldValue] = useState(value);
  const [own, setOwn] = useState<readonly string[]>([]);
  if (value !== oldValue) {
    setOldValue(value);
    const at = own.indexOf(value);
    setOwn(at < 0 ? [] : own.slice(at + 1));
    // The address also changes by other ways: back, a link, the palette.
    if (at < 0) setText(value);
  }
  return (
    <TextInput
      {...others}
      value={text}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setText(text);
        setOwn([...own, text]);
        change(text);
      }}
    />
  );
}
