import { expect, test } from "vitest";
import { useSignedIn } from "../cli/support/signed-in.ts";

const LINE = "metaction models entity_get --modelRef=key:lib";

const here = useSignedIn();

test("zsh completes a ref of the service", async () => {
  const { stdout, stderr } = await here.user.shell(
    `metaction completion zsh > "$HOME/_metaction"
     metaction complete -- '${LINE}' > "$HOME/answer"
     zsh -fc 'metaction() { print -r -- "$3" >> $HOME/asked; cat $HOME/answer }
       compdef() { }; compadd() { print -r -- "$@" $whole }
       source $HOME/_metaction
       words=(metaction models entity_get --modelRef=key:lib) CURRENT=4 PREFIX=--modelRef=key:lib
       _metaction; cat $HOME/asked'`,
  );
  expect(stderr).toBe("");
  expect(stdout).toBe(`-l -d wholeShown -a whole --modelRef=key:library\n${LINE}\n`);
});

test("fish completes a ref of the service", async () => {
  const { stdout, stderr } = await here.user.shell(
    `metaction completion fish > "$HOME/metaction.fish"
     metaction complete -- '${LINE}' > "$HOME/answer"
     fish -c 'function metaction; cat $HOME/answer; end
       source $HOME/metaction.fish; complete -C "${LINE}"'`,
  );
  expect(stderr).toBe("");
  expect(stdout).toBe("--modelRef=key:library\tCity library\n");
});
