package io.javalin.micrometer;

import java.util.function.Consumer;

/** Stands for Javalin's plugin for metrics, which Maven Central lacks for this version; Photon starts it only for metrics. */
public class MicrometerPlugin extends io.javalin.plugin.Plugin<Void> {
  public static class Config {
    public Object registry;
  }

  public MicrometerPlugin(Consumer<Config> configure) {}
}
