// The door to GStreamer: fixed-arity shims for variadics and cast macros.
#pragma once
#include <gst/gst.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>
